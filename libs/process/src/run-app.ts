import { setTimeout as sleep } from 'node:timers/promises';
import { boundBriefError, errorText, redact } from '@executor-status/api';
import type { App } from './app.ts';
import type { ConfigSchema } from './config-schema.ts';
import { effectiveSettings } from './effective-settings.ts';
import { EXIT_CRASHED, EXIT_MISCONFIGURED, EXIT_STOPPED } from './exit-codes.ts';
import { type Host, nodeHost } from './host.ts';
import { toConfig } from './load-config.ts';
import { MisconfigurationError } from './misconfiguration-error.ts';
import { printInstead } from './print-instead.ts';
import { newRun, type Run } from './run.ts';
import { serveProbes } from './serve-probes.ts';

/**
 * Runs a program and ends the process: with 0 when `main` resolved (also for `--help`, `--version`, `--print-config`), with
 * 78 on a misconfiguration, with 1 when it crashed or took longer than `shutdownTimeout` to stop.
 *
 * A program with `PARKING_SETTINGS` never ends but by a signal: on a misconfiguration or a crash it logs one line (again
 * every 5 minutes), answers `/livez` and does nothing else; every `parkRetry` it reads its configuration anew and calls
 * `main` again. Probe address, log level and time-outs stay those of the start.
 */
export async function runApp<S extends ConfigSchema>(app: App<S>): Promise<void> {
  process.exit(await exitCodeOf(app, nodeHost()));
}

/** As `runApp`, in a host of the caller's and without the exit. */
export async function exitCodeOf<S extends ConfigSchema>(app: App<S>, host: Host): Promise<number> {
  const printed = printInstead(app, host);
  if (printed !== undefined) return printed;
  const run = newRun(app, host);
  run.log.info('starting', { version: app.version, node: process.version });
  try {
    return await Promise.race([attempts(app, run), unhandled(run), overdue(run)]);
  } finally {
    run.loop.stop();
    await run.probes?.close();
  }
}

async function attempts<S extends ConfigSchema>(app: App<S>, run: Run): Promise<number> {
  resetChecks(run);
  for (let count = 1; ; count++) {
    const code = await attempt(app, run, count);
    if (code !== undefined) return code;
    await sleep(run.settings.parkRetryMs, undefined, { signal: run.host.signal }).catch(() => undefined);
    if (run.host.signal.aborted) return EXIT_STOPPED;
  }
}

/** The exit code, or `undefined` when the program is parked. */
async function attempt<S extends ConfigSchema>(
  app: App<S>,
  run: Run,
  count: number,
): Promise<number | undefined> {
  const { host, log, rareLog, metrics, live, ready, further } = run;
  try {
    // First, and whatever the rest of the configuration says: a parked process must answer its liveness probe.
    run.probes ??= await serveProbes({
      ...run.settings.probes,
      probes: { '/livez': live, '/readyz': ready, ...(app.probe !== undefined && { [app.probe]: further }) },
      metrics,
      log,
    });
    // A stop that came first: many things only listen for it, and would not hear of it any more.
    if (host.signal.aborted) return EXIT_STOPPED;
    const config = toConfig(app.schema, effectiveSettings(app.schema, host));
    const around = { env: host.env, log, rareLog, metrics, live, ready, further, signal: host.signal };
    await app.main({ ...around, config, attempt: count, started: () => leaveParking(run) });
    log.info('stopped');
    return EXIT_STOPPED;
  } catch (error) {
    if (!host.signal.aborted) return failed(run, error);
    if (!isAbort(error)) log.warn('failed while it stopped', { error });
    return EXIT_STOPPED;
  }
}

function failed(run: Run, error: unknown): number | undefined {
  const misconfigured = error instanceof MisconfigurationError;
  const message = misconfigured ? 'misconfigured' : 'crashed';
  if (!run.settings.parks) {
    run.log.error(message, { error });
    return misconfigured ? EXIT_MISCONFIGURED : EXIT_CRASHED;
  }
  run.rareLog.error(`${message}: parked`, { error, retryMs: run.settings.parkRetryMs });
  resetChecks(run);
  run.ready.add(PARKED, () => boundBriefError(redact(errorText(error))));
  run.metrics.gauge('executor_status_parked', {}, 1);
  return undefined;
}

const PARKED = 'parked';

/** Only when the next try has got through its start: else the gauge and the probe would flap with each try. */
function leaveParking({ ready, metrics }: Run): void {
  ready.remove(PARKED);
  metrics.gauge('executor_status_parked', {}, 0);
}

function resetChecks({ live, ready, further, loop }: Run): void {
  live.clear();
  ready.clear();
  further.clear();
  live.add('event-loop', loop.check);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Fatal, unless the program parks: then its own retries go on, and the error is logged and counted. */
function unhandled({ host, settings, log, metrics }: Run): Promise<number> {
  return new Promise((resolve) => {
    host.onUnhandled((error) => {
      log.error('nobody handled an error', { error });
      metrics.count('executor_status_unhandled_errors_total');
      if (!settings.parks) resolve(EXIT_CRASHED);
    });
  });
}

/** Resolves when a stop has taken too long. */
function overdue({ host, settings, log }: Run): Promise<number> {
  return new Promise((resolve) => {
    const giveUp = () => {
      log.error('did not stop in time', { shutdownTimeoutMs: settings.shutdownTimeoutMs });
      resolve(EXIT_CRASHED);
    };
    const begin = () => setTimeout(giveUp, settings.shutdownTimeoutMs).unref();
    host.signal.addEventListener('abort', begin, { once: true });
  });
}
