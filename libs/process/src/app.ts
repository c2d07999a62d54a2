import type { ConfigOf, ConfigSchema } from './config-schema.ts';
import type { HealthChecks } from './health-checks.ts';
import type { Log } from './log.ts';
import type { MetricDeclaration, Metrics } from './metrics.ts';

/** A program: what `runApp` runs. */
export interface App<S extends ConfigSchema> {
  /** As in `executor-writer`; stands in every log line and in `--help`. */
  readonly name: string;
  readonly version: string;
  /** Made by `configSchema`. With `PARKING_SETTINGS` in it the program parks instead of exiting. */
  readonly schema: S;
  readonly metrics?: readonly MetricDeclaration[];
  /** A further probe path beside /livez and /readyz, as in `/builds`. */
  readonly probe?: string;
  /**
   * The program itself. Resolves when it has stopped, which it must do soon after `signal` aborts. May be called again in a
   * program that parks, so a rejection must leave nothing running.
   */
  readonly main: (context: AppContext<ConfigOf<S>>) => Promise<void>;
}

/** What a program gets. */
export interface AppContext<C> {
  readonly config: C;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Passes equal lines on once in 5 minutes, also over several calls of `main`. */
  readonly rareLog: Log;
  readonly metrics: Metrics;
  /** Behind /livez. Has only the event-loop check when `main` is called. */
  readonly live: HealthChecks;
  /** Behind /readyz. Has at most the check `parked` when `main` is called; add checks before the first `await`. */
  readonly ready: HealthChecks;
  /** Behind the further probe path of the app. Empty when `main` is called, and while the program is parked: then it answers 200. */
  readonly further: HealthChecks;
  /** 1 for the first call of `main`; more after it was parked. */
  readonly attempt: number;
  /** To be called when the start has succeeded: until then, a program that was parked still counts as parked. */
  readonly started: () => void;
  /** Aborts on SIGTERM and SIGINT. */
  readonly signal: AbortSignal;
}
