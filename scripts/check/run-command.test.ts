import { expect } from 'chai';
import { commandFailures, runCommand } from './run-command.ts';

describe('runCommand', () => {
  it('keeps what a tool prints on both streams, and its code', async () => {
    const { code, output } = await runCommand('sh', ['-c', 'echo out; echo err >&2; exit 3']);
    expect(code).to.equal(3);
    expect(output).to.include('out\n').and.include('err\n');
  });

  it('finds the tools of the project', async () => {
    expect((await runCommand('tsc', ['--version'])).output).to.match(/^Version \d/);
  });

  it('says what to do when there is no such tool', async () => {
    const error = await runCommand('no-such-tool', []).catch(String);
    expect(error).to.equal('Error: cannot run no-such-tool: is "npm ci" done?');
  });

  it('kills a tool that hangs, with all that it started', async () => {
    // It answers only when nobody holds the output any more, so the sleeper is gone too.
    const { code, output } = await runCommand('sh', ['-c', 'sleep 1000 & wait'], 500);
    expect(code).to.equal(1);
    expect(output).to.include('sh did not end within 0.5 s and was killed');
  });
});

describe('commandFailures', () => {
  it('is empty when all is well, and else says what ran', async () => {
    expect(await commandFailures('sh', ['-c', 'echo noise'])).to.equal('');
    expect(await commandFailures('sh', ['-c', 'echo bad; exit 2'])).to.equal(
      'bad\n\nsh -c echo bad; exit 2 ended with 2',
    );
  });
});
