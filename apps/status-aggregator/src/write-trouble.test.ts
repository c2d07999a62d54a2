import { KubeError } from '@executor-status/kube';
import { expect } from 'chai';
import { WriteTrouble } from './write-trouble.ts';

describe('WriteTrouble', () => {
  function troubled() {
    const state = { nowMs: 0, heard: [] as number[] };
    const trouble = new WriteTrouble({ limitMs: 60_000, now: () => state.nowMs });
    trouble.stuck.forEach((forMs) => void state.heard.push(forMs)).catch(() => undefined);
    const failAt = (
      atS: number,
      error: unknown = new KubeError({ verb: 'apply', target: 'it', code: 503 }),
      key = 'it',
    ) => {
      state.nowMs = atS * 1000;
      trouble.failed(key, error);
    };
    return { trouble, state, failAt };
  }

  it('HA-5: speaks once writes have failed for 60 seconds, and at every failure from then on', () => {
    const { state, failAt } = troubled();
    for (const atS of [0, 20, 40, 59, 61, 80]) failAt(atS);
    expect(state.heard).to.deep.equal([61_000, 80_000]);
  });

  it('HA-5: begins anew after a write that is stored', () => {
    const { trouble, state, failAt } = troubled();
    failAt(0);
    trouble.stored();
    for (const atS of [30, 89]) failAt(atS);
    expect(state.heard).to.deep.equal([]);
  });

  it('HA-5: begins anew when nothing that failed is to be written any more', () => {
    const { trouble, state, failAt } = troubled();
    failAt(0, undefined, 'one');
    failAt(1, undefined, 'other');
    trouble.calm('one');
    trouble.calm('other');
    failAt(3600, undefined, 'one');
    expect(state.heard).to.deep.equal([]);
  });

  it('HA-5: is not calmed by an executor of which nothing has failed, nor by one of two', () => {
    const { trouble, state, failAt } = troubled();
    failAt(0, undefined, 'one');
    failAt(1, undefined, 'other');
    trouble.calm('third');
    trouble.calm('other');
    failAt(61, undefined, 'one');
    expect(state.heard).to.deep.equal([61_000]);
  });

  const rows: Record<string, { code?: number; missing?: 'object'; reason?: string; stuck: boolean }> = {
    'no answer': { reason: 'Timeout', stuck: true },
    'a server that is overloaded': { code: 429, stuck: true },
    'a right that is lacking': { code: 403, stuck: true },
    'a token that is not taken': { code: 401, stuck: true },
    'a conflict': { code: 409, stuck: false },
    'a status that the server will not have': { code: 422, stuck: false },
    'a status that is too large': { code: 413, stuck: false },
    'an executor that is gone': { code: 404, missing: 'object', stuck: false },
    'a call that the stop ended': { reason: 'Aborted', stuck: false },
  };
  for (const [name, { stuck, ...facts }] of Object.entries(rows)) {
    it(`HA-5: takes ${name} for ${stuck ? 'trouble' : 'none'}`, () => {
      const { state, failAt } = troubled();
      const error = new KubeError({ verb: 'apply', target: 'it', ...facts });
      failAt(0, error);
      failAt(60, error);
      expect(state.heard.length).to.equal(stuck ? 1 : 0);
    });
  }
});
