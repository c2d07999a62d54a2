import { expect } from 'chai';
import { microTime } from './micro-time.ts';

describe('microTime', () => {
  const at = Date.parse('2026-08-06T09:49:44.007Z');
  const cases: Record<string, [wallMs: number, want: string]> = {
    'has six digits where the clock has three': [at, '2026-08-06T09:49:44.007000Z'],
    'has microseconds where the clock has them': [at + 0.25, '2026-08-06T09:49:44.007250Z'],
    'has six digits at a whole second': [Date.parse('2026-08-06T09:49:44Z'), '2026-08-06T09:49:44.000000Z'],
  };
  for (const [name, [wallMs, want]] of Object.entries(cases)) {
    it(`B23: ${name}`, () => {
      expect(microTime(wallMs)).to.equal(want);
    });
  }
});
