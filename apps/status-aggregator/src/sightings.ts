import type { SeenPod } from './judge-pods.ts';
import type { Pod } from './pod.ts';

/** When each pod was first seen, and since when its writer has been seen not to run, on a monotonic clock. */
export class Sightings {
  readonly #byUid = new Map<string, { readonly seenMs: number; readonly writerDownMs?: number }>();

  /** Takes note of `pod` as it is now. */
  see({ metadata, writer }: Pod, nowMs: number): void {
    const before = this.#byUid.get(metadata.uid);
    const seenMs = before?.seenMs ?? nowMs;
    const down = writer === 'down' && { writerDownMs: before?.writerDownMs ?? nowMs };
    this.#byUid.set(metadata.uid, { seenMs, ...down });
  }

  /** Forgets a pod that is gone. */
  forget(uid: string): void {
    this.#byUid.delete(uid);
  }

  /** `pod` with what was seen; a pod that was never seen counts as seen at `nowMs`. */
  of(pod: Pod, nowMs: number): SeenPod {
    return { pod, ...(this.#byUid.get(pod.metadata.uid) ?? { seenMs: nowMs }) };
  }
}
