import { fileURLToPath } from 'node:url';
import { startApp } from '../support/app-process.ts';
import type { Figures } from './measurement.ts';
import { usageOf } from './process-usage.ts';

const PROGRAM = fileURLToPath(new URL('judge-vectors.ts', import.meta.url));

/** All vectors, several times over, in one process. */
export async function benchVerdict(rounds: number, figures: Figures): Promise<void> {
  let peak = 0;
  await using judge = await startApp({ entry: PROGRAM, args: [String(rounds)] });
  const sampler = setInterval(() => {
    peak = Math.max(peak, peakOf(judge.pid));
  }, 100);
  const { vectors, cpuS } = await judge
    .waitForLog((line) => typeof line['vectors'] === 'number', 120_000)
    .finally(() => clearInterval(sampler));
  figures.add('verdict.rate', Number(vectors) / Number(cpuS), 'vectors/s');
  figures.add('verdict.peak-rss', peak, 'MiB');
}

/** Zero once it has ended. */
function peakOf(pid: number): number {
  try {
    return usageOf(pid).peakRssMiB;
  } catch {
    return 0;
  }
}
