import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WriterFleet } from '../../integration/writer-fleet.ts';
import { startApp } from '../app-process.ts';
import type { Pod } from '../control-plane.ts';
import { KeptApp } from './kept-app.ts';
import { skewedClock } from './skewed-clock.ts';

/** An aggregator with its pod and its credentials. */
interface Aggregator {
  readonly pod: Pod;
  readonly directory: string;
  readonly kept: KeptApp;
}

/** The Lease, as far as tests look at it. */
interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
}

/** Two aggregators as processes, each with a wall clock of its own that is wrong, and each started again when it ends. */
export class KeptAggregators implements AsyncDisposable {
  readonly #fleet: WriterFleet;
  readonly #all: Aggregator[] = [];

  private constructor(fleet: WriterFleet) {
    this.#fleet = fleet;
  }

  /** Starts them in the namespace of a fleet, beside its writers. */
  static async start(fleet: WriterFleet, flags: readonly string[]): Promise<KeptAggregators> {
    const aggregators = new KeptAggregators(fleet);
    for (const skewsMs of SKEWS_MS) await aggregators.#start(flags, skewsMs);
    return aggregators;
  }

  /** The one that holds the Lease first; in any order when none does. */
  async byLeadership(): Promise<readonly Aggregator[]> {
    const holder = (await this.lease()).holderIdentity?.split('_')[0];
    return this.#all.toSorted((a, b) => Number(b.pod.name === holder) - Number(a.pod.name === holder));
  }

  async lease(): Promise<LeaseSpec> {
    const { controlPlane, namespace } = this.#fleet;
    const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/status-aggregator`;
    return (await controlPlane.admin.call<{ spec: LeaseSpec }>(`GET ${path}`)).spec;
  }

  /** Gives each another token: a long run outlives the first ones. */
  async rotateTokens(): Promise<void> {
    for (const { pod, directory } of this.#all)
      await writeFile(join(directory, 'token'), await this.#fleet.controlPlane.podToken(pod));
  }

  /** Ends by themselves, but for those of a leader that lost the Lease. */
  get crashes(): readonly string[] {
    return this.#all.flatMap(({ pod, kept }) =>
      kept.ends.filter((end) => !LOST.test(end)).map((end) => `${pod.name} ended: ${end}`),
    );
  }

  /** The last lines that each has logged, and how its predecessors ended. */
  lastLines(count: number): string {
    const lines = this.#all.map(({ pod, kept }) =>
      [`-- ${pod.name}`, ...kept.ends, ...kept.app.output().slice(-count)]
        .map((line) => line.slice(0, MAX_LINE_CHARS))
        .join('\n'),
    );
    return lines.join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#all.map(({ kept }) => kept[Symbol.asyncDispose]()));
  }

  async #start(flags: readonly string[], skewsMs: readonly number[]): Promise<void> {
    const { controlPlane } = this.#fleet;
    const pod = await this.#fleet.makePod({
      name: `status-aggregator-${this.#all.length}`,
      labels: { app: 'status-aggregator' },
      serviceAccount: 'status-aggregator',
      initContainers: [],
    });
    const directory = await controlPlane.inClusterDirectory(await controlPlane.podToken(pod));
    const script = encodeURIComponent(skewedClock(skewsMs));
    const kept = await KeptApp.start(() =>
      startApp({
        entry: 'apps/status-aggregator/src/main.ts',
        args: [...flags, `--credentials-dir=${directory}`],
        env: { ...controlPlane.podEnv(pod), NODE_OPTIONS: `--import=data:text/javascript,${script}` },
      }),
    );
    this.#all.push({ pod, directory, kept });
  }
}

const HOUR_MS = 3_600_000;
/** Of each: how far its wall clock is off at first, and after each jump. */
const SKEWS_MS: readonly (readonly number[])[] = [
  [3 * HOUR_MS, -5 * HOUR_MS, 24 * HOUR_MS, -HOUR_MS],
  [-3 * HOUR_MS, HOUR_MS, -48 * HOUR_MS, 2 * HOUR_MS],
];

/** What of a line is shown: stacks are long. */
const MAX_LINE_CHARS = 400;

/** An aggregator that lost the Lease ends, so that it begins anew. */
const LOST = /lost the Lease|gives the Lease up/;
