export type { App, AppContext } from './app.ts';
export { ConfigError, type ConfigProblem } from './config-error.ts';
export { configHelp } from './config-help.ts';
export {
  type ConfigOf,
  type ConfigSchema,
  configSchema,
  PARKING_SETTINGS,
  PROCESS_SETTINGS,
  type Setting,
  type Settings,
} from './config-schema.ts';
export { configTable } from './config-table.ts';
export { parseDuration } from './duration.ts';
export { type ConfigInput, type EffectiveSettings, effectiveSettings } from './effective-settings.ts';
export { type EventLoopOptions, eventLoopCheck } from './event-loop-check.ts';
export { EXIT_CRASHED, EXIT_MISCONFIGURED, EXIT_STOPPED } from './exit-codes.ts';
export { type Check, type CheckResult, HealthChecks } from './health-checks.ts';
export { loadConfig } from './load-config.ts';
export { createLog, type Log, type LogFields, type LogLevel, type LogOptions } from './log.ts';
export { createMetrics, type MetricDeclaration, type MetricLabels, type Metrics } from './metrics.ts';
export { MisconfigurationError } from './misconfiguration-error.ts';
export { printConfig } from './print-config.ts';
export { runApp } from './run-app.ts';
export { type ProbeOptions, type ProbeServer, serveProbes } from './serve-probes.ts';
export { shutdownSignal } from './shutdown-signal.ts';
