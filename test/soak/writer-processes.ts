import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WriterFleet } from '../integration/writer-fleet.ts';
import { metric, probe } from '../integration/writer-probes.ts';
import type { AppProcess } from '../support/app-process.ts';
import type { Pod } from '../support/control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';

/** A writer that runs, and where it finds its credentials. */
interface Running {
  readonly app: AppProcess;
  readonly directory: string;
}

/** How long many writers may take to start on a busy machine, in milliseconds. */
const READY_MS = 120_000;

/** The writers of some pods: started, killed and started again, and watched for an end that nobody asked for. */
export class WriterProcesses {
  readonly pods: Pod[] = [];
  /** Ends that nobody asked for. */
  readonly crashes: string[] = [];
  readonly #fleet: WriterFleet;
  readonly #flags: readonly string[];
  readonly #running = new Map<string, Running>();

  /** @param flags - beyond what all tests give. */
  constructor(fleet: WriterFleet, flags: readonly string[]) {
    this.#fleet = fleet;
    this.#flags = flags;
  }

  /** Makes the pods, starts their writers and waits until all are ready. Pods have the same names in each run, so that a seed means the same faults. */
  async begin(count: number): Promise<void> {
    for (let at = 0; at < count; at++) this.pods.push(await this.#fleet.makePod({ name: `ratify-${at}` }));
    await Promise.all(this.pods.map((pod) => this.start(pod)));
    for (const [name, app] of this.running) {
      const ready = async () => (await probe(app, '/readyz')).status === 200;
      await waitUntil(ready, { what: `${name} to be ready`, deadlineMs: READY_MS });
    }
  }

  /** Starts the writer of a pod; one that runs is stopped as the kubelet would. */
  async start(pod: Pod): Promise<void> {
    this.#running.delete(pod.uid);
    const token = await this.#fleet.controlPlane.podToken(pod);
    const directory = await this.#fleet.controlPlane.inClusterDirectory(token);
    // The last of two flags counts.
    const app = await this.#fleet.start(pod, {
      token,
      flags: [...this.#flags, '--credentials-dir', directory],
    });
    const running = { app, directory };
    this.#running.set(pod.uid, running);
    void app.exited.then((exit) => {
      if (this.#running.get(pod.uid) === running)
        this.crashes.push(`${pod.name} ended: ${JSON.stringify(exit)}`);
    });
  }

  /** Ends the writer of a pod as a crash would, and starts it again. */
  async kill(pod: Pod): Promise<void> {
    const running = this.#running.get(pod.uid);
    this.#running.delete(pod.uid);
    running?.app.kill('SIGKILL');
    await running?.app.exited;
    await this.start(pod);
  }

  /** Gives the writer of a pod another token, as the kubelet does before the old one ends. */
  async rotateToken(pod: Pod): Promise<void> {
    const directory = this.#running.get(pod.uid)?.directory;
    if (directory === undefined) return;
    await writeFile(join(directory, 'token'), await this.#fleet.controlPlane.podToken(pod, 600));
  }

  /** Lets all writers trust another authority. */
  async trust(ca: string): Promise<void> {
    await Promise.all(
      [...this.#running.values()].map(({ directory }) => writeFile(join(directory, 'ca.crt'), ca)),
    );
  }

  /** The writers that run, by pod name. */
  get running(): ReadonlyMap<string, AppProcess> {
    const entries = this.pods.flatMap((pod) => {
      const app = this.#running.get(pod.uid)?.app;
      return app === undefined ? [] : [[pod.name, app] as const];
    });
    return new Map(entries);
  }

  /** The last lines of what each writer said that is named in a text, by its pod's name or within that of a report. */
  lastLines(count: number, text: string): string {
    return [...this.running]
      .filter(([name]) => text.includes(name) || text.includes(name.replaceAll('-', '--')))
      .map(([name, app]) => [`-- ${name}`, ...app.output().slice(-count)].join('\n'))
      .join('\n');
  }

  /** Errors that nobody handled, in the writers that run; one line for each writer that met any. */
  async unhandled(): Promise<readonly string[]> {
    const lines = [...this.running].map(async ([name, app]) => {
      const count = await metric(app, 'executor_status_unhandled_errors_total');
      return count === 0 ? [] : [`${name} met ${count} errors that nobody handled`];
    });
    return (await Promise.all(lines)).flat();
  }
}
