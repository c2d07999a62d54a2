import { expect } from 'chai';
import { DEFAULT_SPACING, type Pace, paceAfter, planSpacing, type Wish } from './plan-spacing.ts';

const TRANSITION: Wish = { urgency: 'transition', repair: false, contended: false, bytes: 1000 };
const PROGRESS: Wish = { ...TRANSITION, urgency: 'progress' };
const REPAIR: Wish = { ...TRANSITION, repair: true };
const CONTENDED: Wish = { ...REPAIR, contended: true };
const LARGE: Wish = { ...TRANSITION, bytes: 100 * 1024 + 1 };

describe('planSpacing', () => {
  const rows: Record<string, { pace: Pace; wish: Wish; wantInMs: number }> = {
    'lets a first transition go at once': { pace: {}, wish: TRANSITION, wantInMs: 0 },
    'keeps a transition one second away from the last write': {
      pace: { wroteMs: 99_800 },
      wish: TRANSITION,
      wantInMs: 800,
    },
    'lets a later transition go at once': { pace: { wroteMs: 99_000 }, wish: TRANSITION, wantInMs: 0 },
    'keeps transitions of a large status ten seconds apart': {
      pace: { wroteMs: 99_000 },
      wish: LARGE,
      wantInMs: 9000,
    },
    'lets a transition go whatever progress has to wait': {
      pace: { wroteMs: 98_000, stepMs: 60_000 },
      wish: TRANSITION,
      wantInMs: 0,
    },
    'gathers first progress for two seconds': { pace: {}, wish: PROGRESS, wantInMs: 2000 },
    'counts from when the progress was first seen': {
      pace: { pendingMs: 99_000 },
      wish: PROGRESS,
      wantInMs: 1000,
    },
    'keeps progress two seconds away from a transition': {
      pace: { wroteMs: 99_000, pendingMs: 97_500 },
      wish: PROGRESS,
      wantInMs: 1000,
    },
    'keeps further progress as far away as it has come to': {
      pace: { wroteMs: 90_000, stepMs: 16_000, pendingMs: 90_100 },
      wish: PROGRESS,
      wantInMs: 6000,
    },
    'begins anew after two quiet minutes': {
      pace: { wroteMs: -20_000, stepMs: 60_000 },
      wish: PROGRESS,
      wantInMs: 2000,
    },
    'does not take long waiting for quiet': {
      pace: { wroteMs: 45_000, stepMs: 60_000, pendingMs: 46_000 },
      wish: PROGRESS,
      wantInMs: 5000,
    },
    'repairs at once, whatever progress has to wait': {
      pace: { wroteMs: 98_000, stepMs: 60_000 },
      wish: REPAIR,
      wantInMs: 0,
    },
    'keeps repairs ten seconds apart': {
      pace: { wroteMs: 95_000, repairedMs: 95_000 },
      wish: REPAIR,
      wantInMs: 5000,
    },
    'writes once a minute while another manager contends': {
      pace: { wroteMs: 70_000, repairedMs: 70_000 },
      wish: CONTENDED,
      wantInMs: 30_000,
    },
  };

  for (const [name, { pace, wish, wantInMs }] of Object.entries(rows)) {
    it(name, () => {
      expect(planSpacing(pace, wish, { settings: DEFAULT_SPACING, nowMs: 100_000 }).dueInMs).to.equal(
        wantInMs,
      );
    });
  }

  it('spaces steady progress 2, 4, 8 … 60 seconds apart', () => {
    let pace: Pace = { wroteMs: 0 };
    const gaps: number[] = [];
    for (let nowMs = 0, round = 0; round < 8; round++) {
      const before = nowMs;
      const planned = planSpacing(pace, PROGRESS, { settings: DEFAULT_SPACING, nowMs });
      nowMs += planned.dueInMs;
      pace = paceAfter(planned.pace, PROGRESS, { settings: DEFAULT_SPACING, nowMs });
      gaps.push((nowMs - before) / 1000);
    }
    expect(gaps).to.deep.equal([2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('spaces progress as at first again after a transition', () => {
    const at = { settings: DEFAULT_SPACING, nowMs: 100_000 };
    const pace = paceAfter({ wroteMs: 90_000, stepMs: 60_000 }, TRANSITION, at);
    expect(planSpacing(pace, PROGRESS, at).dueInMs).to.equal(2000);
  });
});
