export { ConfigError, type ConfigProblem } from './config-error.ts';
export { configHelp, configTable } from './config-help.ts';
export {
  type ConfigOf,
  type ConfigSchema,
  configSchema,
  PARKING_SETTINGS,
  PROCESS_SETTINGS,
  type Setting,
  type Settings,
} from './config-schema.ts';
export { parseDuration } from './duration.ts';
export { type ConfigInput, type EffectiveSettings, effectiveSettings } from './effective-settings.ts';
export { type Check, type CheckResult, HealthChecks } from './health-checks.ts';
export { loadConfig } from './load-config.ts';
export type { Log, LogFields, LogLevel } from './log.ts';
export type { MetricDeclaration, MetricLabels, Metrics } from './metrics.ts';
export { MisconfigurationError } from './misconfiguration-error.ts';
export { printConfig } from './print-config.ts';
export type { App, AppContext } from './run-app.ts';
