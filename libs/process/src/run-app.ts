import type { ConfigOf, ConfigSchema } from './config-schema.ts';
import type { HealthChecks } from './health-checks.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** A program: what `runApp` runs. */
export interface App<S extends ConfigSchema> {
  /** As in `executor-writer`; stands in every log line and in `--help`. */
  readonly name: string;
  readonly version: string;
  readonly schema: S;
  /**
   * The program itself. Resolves when it has stopped, which it must do soon after `signal` aborts. A rejection with a
   * `MisconfigurationError` exits with 78, or parks: then `main` is called again after `parkRetry`. Another rejection exits
   * with 1; in a program that parks, `main` is called again.
   */
  readonly main: (context: AppContext<ConfigOf<S>>) => Promise<void>;
}

/** What a program gets. */
export interface AppContext<C> {
  readonly config: C;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Behind /livez. Emptied before each call of `main`. */
  readonly live: HealthChecks;
  /** Behind /readyz. Emptied before each call of `main`; add checks before the first `await`. */
  readonly ready: HealthChecks;
  /** Aborts on SIGTERM and SIGINT. */
  readonly signal: AbortSignal;
}
