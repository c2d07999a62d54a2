import { setTimeout as sleep } from 'node:timers/promises';
import type { AppProcess } from '../app-process.ts';

/** How long after its end an app is started again, in milliseconds; a kubelet waits longer each time. */
const RESTART_MS = 500;

/** An app that is started again whenever it ends, as a kubelet does. */
export class KeptApp implements AsyncDisposable {
  /** The last line of each process that ended by itself with an error, and its exit code. */
  readonly ends: string[] = [];
  readonly #begin: () => Promise<AppProcess>;
  readonly #closing = new AbortController();
  #app: AppProcess;
  #keeping: Promise<void> = Promise.resolve();

  private constructor(begin: () => Promise<AppProcess>, app: AppProcess) {
    this.#begin = begin;
    this.#app = app;
  }

  static async start(begin: () => Promise<AppProcess>): Promise<KeptApp> {
    const kept = new KeptApp(begin, await begin());
    kept.#keeping = kept.#keep();
    return kept;
  }

  /** The process that runs now, or ran last. */
  get app(): AppProcess {
    return this.#app;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#app.stop();
    await this.#keeping;
    await this.#app.stop();
  }

  async #keep(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      const { code } = await this.#app.exited;
      if (signal.aborted) return;
      if (code !== null) this.ends.push(`exit code ${code}: ${this.#app.output().at(-1)}`);
      await sleep(RESTART_MS);
      if (signal.aborted) return;
      this.#app = await this.#begin();
    }
  }
}
