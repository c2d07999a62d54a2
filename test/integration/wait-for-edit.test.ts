import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { stringify } from 'yaml';
import type { KubectlResult, Pod } from '../support/control-plane.ts';
import { codeBlocks, shellFor } from '../support/docs-shell.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { executorManifest, refOf } from './executor-manifest.ts';

/** How often an edit is waited for; the acceptance list asks for 200, which take some five minutes. */
const RUNS = Number(process.env['WAIT_RUNS'] ?? 20);

/** The one that the commands of the documentation name. */
const REF = refOf('default');

describe('the wait for an edit, as the runbook has it', function () {
  this.timeout(60_000 + RUNS * 10_000);
  const controlPlane = useControlPlane();
  let stage: AggregatorStage;
  let pods: readonly Pod[];
  let folder: string;
  let shell: (script: string) => Promise<KubectlResult>;
  let untilReady: string;
  let untilSettled: string;

  before(async () => {
    stage = await AggregatorStage.install(controlPlane());
    pods = await stage.makePods('ratify-1', 'ratify-2');
    await stage.start('--transition=50ms', '--progress=50ms', '--success-hold=100ms');
    folder = await mkdtemp(join(controlPlane().directory, 'wait-'));
    shell = await shellFor(controlPlane(), folder);
    const blocks = await codeBlocks('docs/runbook.md', 'Wait for an edit');
    expect(blocks).to.have.lengthOf(2);
    [untilReady = '', untilSettled = ''] = blocks;
  });
  after(() => stage?.[Symbol.asyncDispose]());

  /** Edits and waits by a recipe, while the pods report; tells how it ended, and how many reports had begun by then. */
  async function run(number: number, { recipe, reports }: Kind, random: () => number) {
    const before = await generation();
    const manifest = executorManifest(REF, stage.group, { scope: `run-${number}.example` });
    await writeFile(join(folder, 'executor.yaml'), stringify(manifest));
    let begun = 0;
    const script = recipe === 'until ready' ? untilReady : untilSettled;
    const ended = shell(script).then((result) => ({ ...result, begun }));
    await waitUntil(async () => (await generation()) > before, { what: `the edit of run ${number}` });
    for (const [at, succeeds] of reports) {
      const pod = pods[at];
      if (pod === undefined) throw new Error(`there is no pod ${at}`);
      // As long as a build takes: none at all, or so long that the wait has surely begun.
      await setTimeout(Math.floor(random() * 3) * 100);
      begun++;
      await stage.report(pod, REF, succeeds ? {} : { error: 'no key' });
    }
    return ended;
  }

  const generation = async (): Promise<number> => {
    const { code, body } = await controlPlane().admin.request<{ metadata?: { generation?: number } }>(
      `GET ${stage.path(REF)}`,
    );
    return code === 200 ? (body.metadata?.generation ?? 0) : 0;
  };

  it(`KX-1: ends neither early nor never, in ${RUNS} edits`, async () => {
    const random = seededRandom(1);
    const early: string[] = [];
    const failed: string[] = [];
    for (let number = 0; number < RUNS; number++) {
      const kind = KINDS[number % KINDS.length];
      if (kind === undefined) throw new Error('there are kinds');
      const { code, stdout, stderr, begun } = await run(number, kind, random);
      const name = `run ${number} (${kind.what})`;
      if (code !== 0) failed.push(`${name}: ${stderr}`);
      if (begun < kind.reports.length) early.push(name);
      if (kind.prints !== undefined) expect(stdout.split('\n').at(-1), name).to.equal(kind.prints);
    }
    expect(early, 'early ends').to.deep.equal([]);
    expect(failed, 'waits without an end').to.deep.equal([]);
  });
});

/** What happens after an edit. */
interface Kind {
  readonly what: string;
  readonly recipe: 'until ready' | 'until settled';
  /** Which pod reports, and whether it succeeds; in this order. */
  readonly reports: readonly (readonly [pod: number, succeeds: boolean])[];
  /** The last line that the recipe prints. */
  readonly prints?: string;
}

const BOTH = [
  [0, true],
  [1, true],
] as const;
const SECOND_FAILS = [
  [0, true],
  [1, false],
] as const;

/** The failure of the last one is there when the first one begins anew. */
const KINDS: readonly Kind[] = [
  { what: 'all succeed', recipe: 'until ready', reports: BOTH },
  { what: 'all succeed', recipe: 'until settled', reports: BOTH, prints: 'true' },
  { what: 'a failure that passes', recipe: 'until ready', reports: [...SECOND_FAILS, [1, true]] },
  { what: 'a failure that stays', recipe: 'until settled', reports: SECOND_FAILS, prints: 'false' },
];
