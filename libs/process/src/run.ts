import type { App } from './app.ts';
import { ConfigError } from './config-error.ts';
import { type ConfigSchema, configSchema, PARKING_SETTINGS } from './config-schema.ts';
import { type EffectiveSettings, effectiveSettings } from './effective-settings.ts';
import { eventLoopCheck } from './event-loop-check.ts';
import { HealthChecks } from './health-checks.ts';
import type { Host } from './host.ts';
import { toConfig } from './load-config.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics, type MetricDeclaration, type Metrics } from './metrics.ts';
import type { ProbeServer } from './serve-probes.ts';

/** What lives as long as the process, whatever the program in it goes through. */
export interface Run {
  readonly host: Host;
  readonly settings: RunSettings;
  readonly log: Log;
  /** For what repeats while parked. */
  readonly rareLog: Log;
  readonly metrics: Metrics;
  readonly live: HealthChecks;
  readonly ready: HealthChecks;
  readonly further: HealthChecks;
  readonly loop: ReturnType<typeof eventLoopCheck>;
  /** Once it serves. */
  probes: ProbeServer | undefined;
}

interface RunSettings {
  /** It waits on a misconfiguration instead of exiting. */
  readonly parks: boolean;
  readonly parkRetryMs: number;
  readonly shutdownTimeoutMs: number;
  readonly probes: { readonly host: string; readonly port: number };
}

/** Prepares a run from what is right in the configuration: a bad one must still be logged, and probed while parked. */
export function newRun<S extends ConfigSchema>(app: App<S>, host: Host): Run {
  const settings = usableSettings(app.schema, host);
  const config = toConfig(configSchema(PARKING_SETTINGS), settings);
  const log = createLog({ level: config.logLevel, write: host.write }).child({ app: app.name });
  const metrics = createMetrics([...RUN_METRICS, ...(app.metrics ?? [])]);
  metrics.gauge('executor_status_info', { version: app.version }, 1);
  return {
    host,
    settings: {
      parks: settings.has('exitOnMisconfiguration') && !config.exitOnMisconfiguration,
      parkRetryMs: config.parkRetryMs,
      shutdownTimeoutMs: config.shutdownTimeoutMs,
      probes: { host: config.probeHost, port: config.probePort },
    },
    log,
    rareLog: log.onceIn(REPEAT_MS),
    metrics,
    live: new HealthChecks(),
    ready: new HealthChecks(),
    further: new HealthChecks(),
    loop: eventLoopCheck(),
    probes: undefined,
  };
}

/** How often a parked process says again why it is parked: design rule 4. */
const REPEAT_MS = 300_000;

/** Metrics of every program. */
export const RUN_METRICS: readonly MetricDeclaration[] = [
  {
    name: 'executor_status_info',
    kind: 'gauge',
    help: 'Always 1; the version is a label.',
    labels: ['version'],
  },
  {
    name: 'executor_status_parked',
    kind: 'gauge',
    help: '1 while the process waits for a misconfiguration to end.',
  },
  {
    name: 'executor_status_unhandled_errors_total',
    kind: 'counter',
    help: 'Errors that nobody handled: each is a bug.',
  },
];

function usableSettings(schema: ConfigSchema, host: Host): EffectiveSettings {
  try {
    return effectiveSettings(schema, host);
  } catch (error) {
    if (error instanceof ConfigError) return error.usable;
    throw error;
  }
}
