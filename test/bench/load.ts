import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadResult } from './load-job.ts';
import { cpuSecondsOf } from './process-usage.ts';

const PROGRAM = fileURLToPath(new URL('load-generator.ts', import.meta.url));

/** The load generator as seen from the bench: a process with one HTTP/2 connection, as administrator. */
export class Load implements Disposable {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  /** @param kubeconfig - of the administrator, as the test control plane writes it. */
  constructor(kubeconfig: string) {
    this.#child = spawn(process.execPath, ['--conditions=source', PROGRAM, kubeconfig], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#answers = linesOf(this.#child)[Symbol.asyncIterator]();
  }

  /**
   * Does one job; jobs must not overlap.
   *
   * @throws {Error} if a request failed, or the load generator ended.
   */
  async run(job: LoadJob): Promise<LoadResult> {
    this.#child.stdin?.write(`${JSON.stringify(job)}\n`);
    const answer = await this.#answers.next();
    if (answer.done === true) throw new Error(`the load generator ended during the job ${job.kind}`);
    const result = JSON.parse(answer.value) as LoadResult;
    if (result.failures.length > 0) throw new Error(`the load failed: ${result.failures.join('\n')}`);
    return result;
  }

  get cpuS(): number {
    return cpuSecondsOf(this.#child.pid ?? -1);
  }

  [Symbol.dispose](): void {
    this.#child.stdin?.end();
    this.#child.kill();
  }
}

function linesOf({ stdout }: ChildProcess): Interface {
  if (stdout === null) throw new Error('the load generator has no output');
  return createInterface(stdout);
}
