import { expect } from 'chai';
import { emptyEnvironment, goodSpec, member } from '../../../test/support/executor-specs.ts';
import { buildExecutor } from './build-executor.ts';
import { type Judged, judgeSet } from './judge-set.ts';
import type { Member } from './member.ts';

describe('judgeSet', () => {
  it('fails both members that claim one scope, each naming the other, whatever the order', async () => {
    const a = await judged({ name: 'a', spec: goodSpec({ scopes: ['x', 'shared'] }) });
    const b = await judged({ name: 'b', spec: goodSpec({ scopes: ['shared', 'y'] }) });
    for (const set of [
      new Map([
        ['a', a],
        ['b', b],
      ]),
      new Map([
        ['b', b],
        ['a', a],
      ]),
    ]) {
      const outcomes = judgeSet(set);
      expect(outcomes.get('a')).to.include({
        succeeded: false,
        reason: 'ConfigInvalid',
        code: 'ScopeTakenByOtherExecutor',
        path: 'spec.scopes[1]',
        blocksSet: true,
        retryable: false,
      });
      expect(outcomes.get('a')?.error).to.include('"shared" is also at spec.scopes[0] of Executor b');
      expect(outcomes.get('b')?.error).to.include('"shared" is also at spec.scopes[1] of Executor a');
    }
  });

  it('leaves members without a conflict as they are', async () => {
    const a = await judged({ name: 'a', spec: goodSpec({ scopes: ['x'] }) });
    const b = await judged({ name: 'b', spec: goodSpec({ scopes: ['*.x', 'x/a', 'X'] }) });
    const outcomes = judgeSet(
      new Map([
        ['a', a],
        ['b', b],
      ]),
    );
    expect(outcomes.get('a')).to.equal(a.outcome);
    expect(outcomes.get('b')).to.equal(b.outcome);
  });

  it('keeps the own fault of a member that fails by itself, and still fails the other', async () => {
    const a = await judged({ name: 'a', spec: goodSpec() });
    const b = await judged({ name: 'b', spec: goodSpec({ stores: [] }) });
    const outcomes = judgeSet(
      new Map([
        ['a', a],
        ['b', b],
      ]),
    );
    expect(outcomes.get('a')?.code).to.equal('ScopeTakenByOtherExecutor');
    expect(outcomes.get('b')?.code).to.equal('StoresMissing');
  });

  it('sees no claim of a member that Ratify cannot store', async () => {
    const a = await judged({ name: 'a', spec: goodSpec() });
    const b = await judged({ name: 'b', spec: goodSpec({ verifiers: [null] }) });
    expect(
      judgeSet(
        new Map([
          ['a', a],
          ['b', b],
        ]),
      ).get('a')?.succeeded,
    ).to.equal(true);
  });

  it('names the first of several by name, with its namespace', async () => {
    const fields = { kind: 'NamespacedExecutor', namespace: 'team' } as const;
    const entries = await Promise.all(
      ['c', 'b', 'a'].map((name) => judged({ ...fields, name, spec: goodSpec() })),
    );
    const outcomes = judgeSet(new Map(entries.map((entry) => [entry.member.name, entry])));
    expect(outcomes.get('c')?.error).to.include('of NamespacedExecutor team/a');
    expect(outcomes.get('a')?.error).to.include('of NamespacedExecutor team/b');
  });

  it('keeps material and files of a member in conflict', async () => {
    const a = await judged({ name: 'a', spec: goodSpec() });
    const b = await judged({ name: 'b', spec: goodSpec() });
    const outcome = judgeSet(
      new Map([
        ['a', a],
        ['b', b],
      ]),
    ).get('a');
    expect(outcome?.material).to.equal(a.outcome.material);
    expect(outcome?.materialDigest).to.equal(a.outcome.materialDigest);
  });
});

async function judged(fields: Partial<Member> & { spec: unknown }): Promise<Judged> {
  const one = member(fields.spec, fields);
  return { member: one, outcome: await buildExecutor(one, emptyEnvironment()) };
}
