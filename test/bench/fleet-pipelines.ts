// Many writers in one process, each with a pod and a token of its own: reads the pods from the file that is its only argument.
import { readFile } from 'node:fs/promises';
import { KUBE_METRICS, systemClock } from '@executor-status/kube';
import { createLog, createMetrics, HealthChecks, loadConfig } from '@executor-status/process';
import { EMPTY, merge } from 'rxjs';
import { CONFIG_SCHEMA } from '../../apps/executor-writer/src/config.ts';
import { startWriter } from '../../apps/executor-writer/src/start-writer.ts';
import { WRITER_METRICS } from '../../apps/executor-writer/src/writer-metrics.ts';

/** One writer: what its pod finds, and what it is told. */
export interface PipelineStart {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

const [file = ''] = process.argv.slice(2);
const starts = JSON.parse(await readFile(file, 'utf8')) as readonly PipelineStart[];
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
const log = createLog({ level: 'error', write: (line) => process.stdout.write(line) });
const metrics = createMetrics([...WRITER_METRICS, ...KUBE_METRICS]);
merge(EMPTY, ...starts.map(pipeline)).subscribe({
  complete: () => process.exit(0),
  error: (error: unknown) => {
    log.error('a pipeline ended', { error });
    process.exit(1);
  },
});

function pipeline({ env, args }: PipelineStart) {
  const config = loadConfig({ schema: CONFIG_SCHEMA, argv: args, env, readFile: noFile });
  return startWriter({
    config,
    env,
    log,
    rareLog: log.onceIn(300_000),
    metrics,
    live: new HealthChecks(),
    ready: new HealthChecks(),
    further: new HealthChecks(),
    signal: stop.signal,
    attempt: 1,
    started: () => undefined,
    writerVersion: '0.1.0',
    clock: systemClock,
    random: Math.random,
    today: () => new Date(),
  });
}

function noFile(path: string): never {
  throw new Error(`no configuration file is read here, not even ${path}`);
}
