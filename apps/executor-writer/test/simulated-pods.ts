import type { Executor } from '@executor-status/api';
import type { Environment } from '@executor-status/executor';
import { VirtualTimeScheduler } from 'rxjs';
import { SimulatedPod } from './simulated-pod.ts';

/** What is different about one run. */
export interface SimulationOptions {
  readonly pods: number;
  readonly random: () => number;
  /** Wall-clock time at second 0, in milliseconds since 1970. */
  readonly startMs: number;
  /** What the builds of a pod look at. */
  readonly environment: (pod: string) => Environment;
}

/** Pods that build for real and report into memory, while only their clock is simulated: it stands still during builds. */
export class SimulatedPods {
  readonly pods: readonly SimulatedPod[];
  readonly #time = new VirtualTimeScheduler();
  readonly #startMs: number;

  constructor({ pods, random, startMs, environment }: SimulationOptions) {
    this.#startMs = startMs;
    this.pods = Array.from({ length: pods }, (_, index) => {
      const name = `ratify-${index}`;
      return new SimulatedPod({
        name,
        random,
        time: this.#time,
        today: () => this.today,
        environment: environment(name),
      });
    });
  }

  /** Milliseconds since the start. */
  get nowMs(): number {
    return this.#time.frame;
  }

  get today(): Date {
    return new Date(this.#startMs + this.nowMs);
  }

  /** Creates or edits an executor, and lets every pod see it. */
  async apply(executor: Executor): Promise<void> {
    for (const pod of this.pods) pod.see(executor);
    await this.#work();
  }

  /** Lets time pass, and everything that is due happen. */
  async pass(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    while (this.nowMs < endMs) {
      // Straight to what is due next; to the end when nothing is.
      const [next] = this.#time.actions;
      this.#time.maxFrames = Math.min(Math.max(next?.delay ?? endMs, this.nowMs), endMs);
      this.#time.flush();
      this.#time.frame = this.#time.maxFrames;
      await this.#work();
    }
  }

  async #work(): Promise<void> {
    await Promise.all(this.pods.map((pod) => pod.work()));
  }
}
