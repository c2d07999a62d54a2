import { expect } from 'chai';
import { HealthChecks } from './health-checks.ts';

describe('HealthChecks', () => {
  it('asks every check anew, in the order they were added', () => {
    const checks = new HealthChecks();
    let synced = false;
    checks.add('watch', () => (synced ? undefined : 'not synced'));
    checks.add('lease', () => undefined);
    expect(checks.results()).to.deep.equal([
      { name: 'watch', failure: 'not synced' },
      { name: 'lease', failure: undefined },
    ]);
    synced = true;
    expect(checks.results()[0]).to.deep.equal({ name: 'watch', failure: undefined });
  });

  it('takes a check that throws for failed', () => {
    const checks = new HealthChecks();
    checks.add('odd', () => {
      throw new Error('boom');
    });
    expect(checks.results()).to.deep.equal([{ name: 'odd', failure: 'the check itself failed: boom' }]);
  });

  it('removes a check, but not the one that took its name', () => {
    const checks = new HealthChecks();
    const removeFirst = checks.add('a', () => 'first');
    const removeSecond = checks.add('a', () => 'second');
    removeFirst();
    expect(checks.results()).to.deep.equal([{ name: 'a', failure: 'second' }]);
    removeSecond();
    expect(checks.results()).to.deep.equal([]);
  });
});
