import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { NODE_FLAGS } from '../../scripts/node-flags.ts';
import { ROOT } from './crd-schema.ts';

const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

describe('large specs, with the flags of the image', function () {
  this.timeout(300_000);

  it('are judged in less than a second of CPU each, in the heap that a sidecar has', async () => {
    const tests = [
      '--no-config',
      '--extension',
      'ts',
      '--timeout',
      '60000',
      'libs/executor/src/large-specs.test.ts',
    ];
    const args = [...NODE_FLAGS['executor-writer'], '--conditions=source', MOCHA, ...tests];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
    expect(stdout).to.match(/\b\d\d passing/);
  });
});
