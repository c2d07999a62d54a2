import type { SeenPod } from './judge-pods.ts';
import type { Pod } from './pod.ts';

/** Since when each pod has been seen to be expected, and its writer not to run, on a monotonic clock. */
export class Sightings {
  readonly #byUid = new Map<string, { readonly seenMs?: number; readonly writerDownMs?: number }>();

  /** Takes note of `pod` as it is now. */
  see({ metadata, expected, writer }: Pod, nowMs: number): void {
    const before = this.#byUid.get(metadata.uid);
    // A pod that waits for a node, or has opted out, owes no report: its time has not begun.
    const seen = expected && { seenMs: before?.seenMs ?? nowMs };
    const down = writer === 'down' && { writerDownMs: before?.writerDownMs ?? nowMs };
    this.#byUid.set(metadata.uid, { ...seen, ...down });
  }

  /** Forgets a pod that is gone. */
  forget(uid: string): void {
    this.#byUid.delete(uid);
  }

  /** `pod` with what was seen; a pod that was never seen as expected counts as seen at `nowMs`. */
  of(pod: Pod, nowMs: number): SeenPod {
    return { pod, seenMs: nowMs, ...this.#byUid.get(pod.metadata.uid) };
  }
}
