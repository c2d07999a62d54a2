import type { ExecutorPodStatus } from '@executor-status/api';
import { expect } from 'chai';
import fc from 'fast-check';
import { executor, pod, report } from '../../../test/support/builders.ts';
import { gist, StatusStory } from '../../../test/support/status-story.ts';

const names = Array.from({ length: 200 }, (_, at) => `pod-${String(at).padStart(3, '0')}`);
const ERRORS = ['no key', 'no certificate', 'denied'];

/** How many random runs each property gets, and the seed of them all; another one in each run when left out. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 1000);
const { PROPERTY_SEED } = process.env;
const CHANCE = { numRuns: RUNS, ...(PROPERTY_SEED !== undefined && { seed: Number(PROPERTY_SEED) }) };

describe('planStatus, whatever the order', function () {
  // A machine may be busy with other tests.
  this.timeout(120 * Math.max(RUNS, 1000));

  it('AG-1: makes the same bytes of 200 reports in 1,000 random orders', () => {
    const pods = names.map((name) => pod({ name }));
    const reports = names.map((name, at) =>
      report({ pod: name, ...(at % 3 === 0 && { error: ERRORS[at % 5] ?? 'other' }) }),
    );
    const bytes = (order: readonly ExecutorPodStatus[], podOrder: typeof pods) => {
      const story = new StatusStory();
      story.look(0, { pods: podOrder, reports: order });
      return JSON.stringify(story.status);
    };
    const wanted = bytes(reports, pods);
    const shuffled = <T>(all: T[]) => fc.shuffledSubarray(all, { minLength: all.length });
    fc.assert(
      fc.property(shuffled(reports), shuffled(pods), (order, podOrder) => {
        expect(bytes(order, podOrder)).to.equal(wanted);
      }),
      CHANCE,
    );
  });

  it('AG-1: ends in the status of one rebuild, in 1,000 random orders of events', () => {
    fc.assert(
      fc.property(life, (events) => {
        const world = new World();
        // While nothing is up to date the last verdict stands, and only history knows it.
        const ending = [
          { kind: 'start', pod: 9 } as const,
          { kind: 'report', pod: 9, older: false } as const,
        ];
        for (const one of [...events, ...ending]) world.take(one);
        // Long enough for every grace and every hold to be over.
        for (const atS of [100, 200]) world.story.look(world.atS + atS);
        const fresh = new StatusStory({ executor: executor({ generation: world.generation }) });
        for (const atS of [0, 100, 200]) fresh.look(atS, world.scene);
        expect(timeless(world.story)).to.equal(timeless(fresh));
      }),
      CHANCE,
    );
  });

  it('AG-5: turns a failure into a success only after ten seconds without any, in 1,000 random interleavings', () => {
    fc.assert(
      fc.property(blindLife, (events) => {
        const world = new World();
        for (const one of events) {
          const before = gist(world.story.status);
          world.take(one);
          const after = gist(world.story.status);
          if (before.generation !== after.generation) continue;
          const isTurn = !before.succeeded && after.succeeded;
          const isReadyTurn = before.ready.startsWith('False') && after.ready.startsWith('True');
          if (isTurn || isReadyTurn) expect(world.atS - world.failedAtS).to.be.at.least(10);
        }
      }),
      CHANCE,
    );
  });

  it('AG-2: claims success only for what was built, in 1,000 random interleavings of edits, reports and pod changes', () => {
    fc.assert(
      fc.property(life, (events) => {
        const world = new World();
        for (const one of events) {
          world.take(one);
          world.check();
        }
      }),
      CHANCE,
    );
  });
});

type Happening =
  | { readonly kind: 'start-blind'; readonly pod: number }
  | { readonly kind: 'edit' | 'restart' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'start' | 'stop'; readonly pod: number }
  | {
      readonly kind: 'report';
      readonly pod: number;
      readonly older: boolean;
      readonly error?: string | undefined;
    };

// Weights and times are such that pods often wait for each other: that is where a success could be claimed too early.
const podNumber = fc.nat({ max: 2 });
const event: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'edit' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 10, 15, 30) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('start' as const, 'stop' as const), pod: podNumber }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      pod: podNumber,
      older: fc.nat({ max: 5 }).map((chance) => chance === 0),
      error: fc.option(fc.constantFrom(...ERRORS), { nil: undefined, freq: 2 }),
    }),
  },
);
const start = [0, 1, 2].map((at) => ({ kind: 'start' as const, pod: at }));
const life = fc
  .array(event, { maxLength: 40, size: 'max' })
  .map((events): Happening[] => [...start, ...events]);

/** The same, with pods that have no writer. */
const blindLife = fc.tuple(life, fc.array(podNumber, { maxLength: 3 })).map(([events, blind]) => {
  const starts = blind.map((at): Happening => ({ kind: 'start-blind', pod: at }));
  return [...events.slice(0, 3), ...starts, ...events.slice(3)];
});

/** A few pods that come, go and report, with what must be known to check what is claimed of them. */
class World {
  readonly story = new StatusStory();
  generation = 1;
  atS = 0;
  /** When an expected pod was last seen to fail to build the newest generation. */
  failedAtS = Number.NEGATIVE_INFINITY;
  readonly #pods = new Map<
    number,
    { readonly uid: string; readonly sinceS: number; readonly writer?: 'absent' }
  >();
  readonly #reports = new Map<string, ExecutorPodStatus>();
  /** The uids of the pods that built each generation at some time, and of those that were expected when it settled. */
  readonly #built = new Map<number, Set<string>>();
  readonly #settledWith = new Map<number, readonly string[]>();
  #generationSinceS = 0;
  #count = 0;

  get scene() {
    return {
      pods: [...this.#pods].map(([at, { uid, writer }]) =>
        pod({ name: `pod-${at}`, uid, ...(writer && { writer }) }),
      ),
      reports: [...this.#reports.values()],
    };
  }

  take(happening: Happening): void {
    switch (happening.kind) {
      case 'edit':
        this.story.edit();
        this.generation++;
        this.#generationSinceS = this.atS;
        break;
      case 'restart':
        this.story.restart();
        break;
      case 'wait':
        this.atS += happening.seconds;
        break;
      case 'start':
        // Starting a pod that runs replaces it under its name.
        this.#pods.set(happening.pod, { uid: `uid-${this.#count++}`, sinceS: this.atS });
        break;
      case 'start-blind':
        this.#pods.set(happening.pod, {
          uid: `uid-${this.#count++}`,
          sinceS: this.atS,
          writer: 'absent',
        });
        break;
      case 'stop':
        this.#pods.delete(happening.pod);
        break;
      case 'report':
        this.#report(happening);
    }
    this.story.look(this.atS, this.scene);
    this.#noteSettled();
    if ([...this.#pods.values()].some(({ uid }) => this.#fails(uid))) this.failedAtS = this.atS;
  }

  #report({ pod: at, older, error }: Extract<Happening, { kind: 'report' }>): void {
    const uid = this.#pods.get(at)?.uid;
    if (uid === undefined) return;
    const executorGeneration = Math.max(1, this.generation - (older ? 1 : 0));
    this.#reports.set(
      uid,
      report({ pod: `pod-${at}`, podUID: uid, executorGeneration, ...(error && { error }) }),
    );
    if (error !== undefined) return;
    this.#built.set(executorGeneration, (this.#built.get(executorGeneration) ?? new Set()).add(uid));
  }

  #fails(uid: string): boolean {
    const said = this.#reports.get(uid)?.status;
    return said?.executorGeneration === this.generation && !said.succeeded;
  }

  #noteSettled(): void {
    if (this.story.status.observedGeneration !== this.generation || this.#settledWith.has(this.generation))
      return;
    this.#settledWith.set(
      this.generation,
      [...this.#pods.values()].map(({ uid }) => uid),
    );
  }

  check(): void {
    const { succeeded, generation, ready } = gist(this.story.status);
    if (ready.startsWith('True')) this.#checkReports(generation);
    if ((succeeded || ready.startsWith('True')) && generation === this.generation) this.#checkSettled();
  }

  /** Ready is True: every expected pod that has reported built the newest generation. */
  #checkReports(generation: number): void {
    expect(generation, 'Ready speaks of the newest generation').to.equal(this.generation);
    for (const { uid } of this.#pods.values()) {
      const said = this.#reports.get(uid)?.status ?? { succeeded: true, executorGeneration: this.generation };
      expect(said).to.include({ succeeded: true, executorGeneration: this.generation });
    }
  }

  /** A success is claimed: every pod that was expected when it settled has built it, is gone, or is past its grace. */
  #checkSettled(): void {
    const live = new Map([...this.#pods.values()].map(({ uid, sinceS }) => [uid, sinceS]));
    for (const uid of this.#settledWith.get(this.generation) ?? []) {
      const graceEndS = Math.max(live.get(uid) ?? 0, this.#generationSinceS) + 60;
      const excused = !live.has(uid) || this.#built.get(this.generation)?.has(uid) || this.atS >= graceEndS;
      expect(excused, `pod ${uid} has built generation ${this.generation}`).to.equal(true);
    }
  }
}

/** A status without its times, which depend on when things happened. */
function timeless(story: StatusStory): string {
  const { conditions = [], ...rest } = story.status;
  return JSON.stringify({
    ...rest,
    conditions: conditions.map(({ lastTransitionTime: _time, ...said }) => said),
  });
}
