import { type KubeClient, KubeError, reportResource } from '@executor-status/kube';
import type { Log, Metrics } from '@executor-status/process';
import { isOrphan, type LiveReads } from './is-orphan.ts';
import { planSweep, type Suspect } from './plan-sweep.ts';
import type { World } from './world.ts';

/** What sweeping needs. */
export interface SweeperParts extends LiveReads {
  readonly client: Pick<KubeClient, 'get' | 'remove' | 'clock'>;
  readonly world: World;
  /** `dry-run` only tells what it would remove. */
  readonly mode: 'on' | 'dry-run';
  /** How long a report must look like an orphan. */
  readonly confirmMs: number;
  /** Most removals a second. */
  readonly perSecond: number;
  /** Whether this process may remove anything right now; asked before each removal. */
  readonly isLeader: () => boolean;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Removes the reports that owner references leave behind. A follower watches them too, so that it need not begin anew when it
 * takes over. After any error of the API server nothing more is removed in that round.
 */
export class Sweeper {
  readonly #parts: SweeperParts;
  readonly #rareLog: Log;
  readonly #said = new Set<string>();
  #suspects: ReadonlyMap<string, Suspect> = new Map();

  constructor(parts: SweeperParts) {
    this.#parts = parts;
    this.#rareLog = parts.log.onceIn(REPEAT_MS);
  }

  /** Looks at all reports once and removes those that are due. Never rejects. */
  async round(): Promise<void> {
    try {
      await this.#sweep();
    } catch (error) {
      this.#rareLog.warn('could not sweep orphaned reports; trying again', { error });
    }
  }

  async #sweep(): Promise<void> {
    const { world, client, confirmMs, metrics } = this.#parts;
    if (!world.synced) return;
    const { suspects, due } = planSweep({
      reports: world.allReports(),
      pods: world.allPods(),
      hasExecutor: (ref) => world.hasExecutor(ref),
      suspects: this.#suspects,
      confirmMs,
      nowMs: client.clock.now(),
    });
    this.#suspects = suspects;
    for (const uid of this.#said) if (!suspects.has(uid)) this.#said.delete(uid);
    metrics.gauge('executor_status_orphans', {}, due.length);
    for (const suspect of due) if (!(await this.#settle(suspect))) return;
  }

  /** Settles one suspect at its pace. Returns whether to go on. */
  async #settle(suspect: Suspect): Promise<boolean> {
    const { client, isLeader, mode, perSecond, signal } = this.#parts;
    if (!isLeader() || signal.aborted) return false;
    const { uid = '' } = suspect.report.metadata;
    if (this.#said.has(uid)) return true;
    const nextAtMs = client.clock.now() + 1000 / perSecond;
    if (!(await isOrphan(suspect, this.#parts))) this.#acquit(uid);
    else if (mode === 'dry-run') this.#tell(suspect);
    else await this.#remove(suspect);
    await client.clock.sleep(Math.max(0, nextAtMs - client.clock.now()), signal);
    return true;
  }

  async #remove(suspect: Suspect): Promise<void> {
    const { client, isLeader, metrics, log, signal } = this.#parts;
    // The read has taken its time.
    if (!isLeader()) return;
    const { name, namespace, uid = '', resourceVersion } = suspect.report.metadata;
    const target = {
      name,
      uid,
      ...(namespace && { namespace }),
      ...(resourceVersion && { resourceVersion }),
    };
    try {
      if (!(await client.remove(reportResource(), target, { signal }))) return;
    } catch (error) {
      // Somebody writes to it: it has to be seen twice again.
      if (!(error instanceof KubeError) || error.code !== 409) throw error;
      return this.#acquit(uid);
    }
    metrics.count('executor_status_swept_total', { why: suspect.why });
    log.info('removed an orphaned report', fieldsOf(suspect));
  }

  #tell(suspect: Suspect): void {
    this.#said.add(suspect.report.metadata.uid ?? '');
    this.#parts.log.info('would remove an orphaned report', fieldsOf(suspect));
  }

  #acquit(uid: string): void {
    const left = new Map(this.#suspects);
    left.delete(uid);
    this.#suspects = left;
  }
}

const REPEAT_MS = 300_000;

function fieldsOf({ why, report: { metadata, spec } }: Suspect) {
  return {
    report: `${metadata.namespace}/${metadata.name}`,
    why,
    pod: spec.pod.name,
    podUID: spec.pod.uid,
    executor: spec.executorRef.name,
  };
}
