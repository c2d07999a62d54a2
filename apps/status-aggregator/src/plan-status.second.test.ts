import type { ExecutorStatus, ReportStatus } from '@executor-status/api';
import { expect } from 'chai';
import fc from 'fast-check';
import { pod, report } from '../../../test/support/builders.ts';
import type { Moment, ObviousPod } from '../../../test/support/obvious-moment.ts';
import { obviousStatus } from '../../../test/support/obvious-status.ts';
import type { Group } from '../../../test/support/obvious-words.ts';
import { gist, StatusStory } from '../../../test/support/status-story.ts';

const DAY_S = 24 * 3600;

type Happening =
  | { readonly kind: 'edit' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'block'; readonly by: string | undefined }
  | { readonly kind: 'pod'; readonly at: number; readonly change: Change }
  | {
      readonly kind: 'report';
      readonly at: number;
      readonly older: boolean;
      readonly said: Partial<ReportStatus>;
    };

const at = fc.nat({ max: 4 });
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

type Change = Partial<ObviousPod> | 'replace' | 'stop';

const change: fc.Arbitrary<Change> = fc.constantFrom<Change[]>(
  'replace',
  'replace',
  'stop',
  { expected: false },
  { expected: true },
  { hasWriter: false },
  { lost: true },
  { lost: false },
  { writerDown: true },
  { writerDown: false },
  { ratifyStartedAt: '2026-08-06T09:00:00Z' },
  { ratifyStartedAt: '2026-08-06T11:00:00Z' },
);

const said: fc.Arbitrary<Partial<ReportStatus>> = fc.oneof(
  often(6, fc.constant({})),
  often(2, fc.constantFrom({ error: 'no key' }, { error: 'no file' })),
  often(2, fc.constant({ error: 'leaf', reason: 'ConfigInvalid' as const })),
  often(3, fc.constantFrom({ materialDigest: 'aa' }, { materialDigest: 'bb' })),
  often(1, fc.constant({ recoveredAt: '2026-08-06T10:00:00Z' })),
  often(1, fc.constantFrom(ending(3), ending(10), ending(-1))),
  often(
    1,
    fc.constantFrom(
      { warnings: [{ code: 'A', path: '', message: 'odd' }] },
      {
        warnings: [
          { code: 'B', path: '', message: 'odd' },
          { code: 'A', path: '', message: 'odd' },
        ],
      },
    ),
  ),
);

/** A certificate that ends so many days after the beginning. */
function ending(days: number): Partial<ReportStatus> {
  const notAfter = `${new Date(Date.parse('2026-08-06T09:50:00Z') + days * DAY_S * 1000).toISOString().slice(0, 19)}Z`;
  return { material: [{ path: '$', source: 'file', sha256: 'ab', notAfter }] };
}

const happening: fc.Arbitrary<Happening> = fc.oneof(
  often(2, fc.constant({ kind: 'edit' as const })),
  often(
    7,
    fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 5, 9, 10, 30, 60, DAY_S) }),
  ),
  often(1, fc.record({ kind: fc.constant('block' as const), by: fc.constantFrom('other', undefined) })),
  often(4, fc.record({ kind: fc.constant('pod' as const), at, change })),
  often(
    9,
    fc.record({
      kind: fc.constant('report' as const),
      at,
      older: fc.nat({ max: 6 }).map((chance) => chance === 0),
      said,
    }),
  ),
);

/** The same life, told to the aggregator and written down. */
class Twice {
  readonly story = new StatusStory();
  readonly moments: Moment[] = [];
  #atS = 0;
  #generation = 1;
  #count = 0;
  #blockedBy: string | undefined;
  readonly #pods = new Map<number, ObviousPod>();
  readonly #reports = new Map<string, ReportStatus>();

  constructor() {
    for (const number of [0, 1, 2]) this.#replace(number);
    this.#look();
  }

  take(one: Happening): void {
    switch (one.kind) {
      case 'edit':
        this.story.edit();
        this.#generation++;
        break;
      case 'wait':
        this.#atS += one.seconds;
        break;
      case 'block':
        this.#blockedBy = one.by;
        break;
      case 'pod':
        this.#change(one.at, one.change);
        break;
      case 'report':
        this.#report(one);
    }
    this.#look();
  }

  /** What both make of it. */
  compare(): void {
    expect(digest(this.story.status)).to.deep.equal(shown(obviousStatus(this.moments)));
  }

  #replace(number: number): void {
    const name = `pod-${'abcde'.charAt(number)}`;
    const fresh = { expected: true, hasWriter: true, lost: false, writerDown: false };
    this.#pods.set(number, { name, uid: `uid-${this.#count++}`, ...fresh });
  }

  #change(number: number, what: Partial<ObviousPod> | 'replace' | 'stop'): void {
    const known = this.#pods.get(number);
    if (what === 'stop') this.#pods.delete(number);
    else if (what === 'replace') this.#replace(number);
    else if (known !== undefined) {
      const next = { ...known, ...what };
      // There is nothing that could be down.
      this.#pods.set(number, { ...next, writerDown: next.writerDown && next.hasWriter });
    }
  }

  #report({ at: number, older, said: words }: Extract<Happening, { kind: 'report' }>): void {
    const known = this.#pods.get(number);
    if (known === undefined) return;
    const executorGeneration = Math.max(1, this.#generation - (older ? 1 : 0));
    const { status } = report({ pod: known.name, podUID: known.uid, executorGeneration, ...words });
    if (status !== undefined) this.#reports.set(known.uid, status);
  }

  #look(): void {
    const pods = [...this.#pods.values()];
    this.moments.push({
      atS: this.#atS,
      generation: this.#generation,
      pods,
      reports: new Map(this.#reports),
      blockedBy: this.#blockedBy,
    });
    this.story.look(this.#atS, {
      pods: pods.map(kubePod),
      reports: pods.flatMap((one) => this.#reportOf(one)),
      blockedBy: this.#blockedBy,
    });
  }

  #reportOf({ name, uid }: ObviousPod) {
    const status = this.#reports.get(uid);
    return status === undefined ? [] : [{ ...report({ pod: name, podUID: uid }), status }];
  }
}

function kubePod({ name, uid, expected, hasWriter, lost, writerDown, ratifyStartedAt }: ObviousPod) {
  const writer = !hasWriter ? 'absent' : writerDown ? 'terminated' : 'running';
  return pod({
    name,
    uid,
    optedOut: !expected,
    writer,
    ...(lost && { conditions: { Ready: 'Unknown' } }),
    ...(ratifyStartedAt && { ratifyStartedAt }),
  });
}

/** What both are to agree on. */
function digest(status: ExecutorStatus) {
  const { succeeded, error, briefError, observedGeneration, podCounts, builds } = status;
  const { ready, others } = gist(status);
  return {
    succeeded,
    error,
    briefError,
    observedGeneration,
    podCounts,
    builds,
    conditions: [`Ready=${ready}`, ...others],
    errorGroups: (status.errorGroups ?? []).map(({ reason, ...group }) => ({ word: reason, ...group })),
    warningGroups: (status.warningGroups ?? []).map(({ code, ...group }) => ({ word: code, ...group })),
    byPod: (status.byPod ?? []).map(({ id }) => id),
  };
}

function shown({
  errorGroups,
  warningGroups,
  ...rest
}: ReturnType<typeof obviousStatus>): ReturnType<typeof digest> {
  const group = ({ word, message, pods }: Group) => ({
    word,
    message,
    count: pods.length,
    examplePods: pods.slice(0, 3),
  });
  const [errors, warnings] = [errorGroups.map(group), warningGroups.map(group)];
  return { ...rest, conditions: [...rest.conditions], errorGroups: errors as never, warningGroups: warnings };
}

describe('planStatus and a second, slow and obvious implementation of the design', function () {
  this.timeout(180_000);

  it('AG-1, AG-2, AG-3: agree at every moment of 500 random lives', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40, size: 'max' }), (life) => {
        const twice = new Twice();
        twice.compare();
        for (const one of life) {
          twice.take(one);
          twice.compare();
        }
      }),
      { numRuns: 500 },
    );
  });
});
