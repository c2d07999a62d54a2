import { expect } from 'chai';
import { parseDuration } from './duration.ts';

describe('parseDuration', () => {
  const cases: Record<string, number | undefined> = {
    '500ms': 500,
    '0s': 0,
    '60s': 60_000,
    '5m': 300_000,
    '1h30m': 5_400_000,
    '1.5s': 1500,
    '0.4ms': 0,
    '596h': 2_145_600_000,
    '597h': undefined,
    '60': undefined,
    '': undefined,
    '-1s': undefined,
    '1 s': undefined,
    '1d': undefined,
    s: undefined,
    '1s ': undefined,
    '1e3s': undefined,
    '.5s': undefined,
  };
  for (const [text, want] of Object.entries(cases)) {
    it(`takes "${text}" as ${want ?? 'no duration'}`, () => {
      expect(parseDuration(text)).to.equal(want);
    });
  }
});
