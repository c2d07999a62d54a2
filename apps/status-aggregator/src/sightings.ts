import type { SeenPod } from './judge-pods.ts';
import type { Pod } from './pod.ts';

/** Since when each pod has been seen to be expected, and its writer not to run, on a monotonic clock. */
export class Sightings {
  readonly #byUid = new Map<string, Partial<SeenPod>>();

  /** Takes note of `pod` as it is now. */
  see(pod: Pod, nowMs: number): void {
    const { metadata, expected, writer } = pod;
    const before = this.#byUid.get(metadata.uid);
    // A pod that waits for a node, or has opted out, owes no report: its time has not begun.
    const seen = expected && { seenMs: before?.seenMs ?? nowMs };
    const down = writer === 'down' && { writerDownMs: before?.writerDownMs ?? nowMs };
    this.#byUid.set(metadata.uid, { pod, ...seen, ...down });
  }

  /** Forgets a pod that is gone. */
  forget(uid: string): void {
    this.#byUid.delete(uid);
  }

  /** `pod` with what was seen; a pod that was never seen as expected counts as seen at `nowMs`. */
  of(pod: Pod, nowMs: number): SeenPod {
    const known = this.#byUid.get(pod.metadata.uid);
    return known !== undefined && isOf(known, pod) ? known : { seenMs: nowMs, ...known, pod };
  }
}

/** Whether it can be given away as it is: of each pod it is asked for at each look. */
function isOf(known: Partial<SeenPod>, pod: Pod): known is SeenPod {
  return known.pod === pod && known.seenMs !== undefined;
}
