import { type Backoff, backoffMs, type CoreMetrics } from '@executor-status/controller';
import type { Clock } from './clock.ts';
import type { KubeError } from './kube-error.ts';
import { isExpired } from './list-pages.ts';
import type { Log } from './log.ts';
import type { WatchHealth, WatchPhase } from './watch-health.ts';

/** What {@link WatchSupervisor} needs. */
export interface SupervisorOptions {
  /** The plural name of what is watched. */
  readonly resource: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly backoff: Backoff;
  readonly health: WatchHealth;
  readonly metrics: CoreMetrics;
  readonly log: Log;
}

/** Decides how long a watch pauses after a failure, and tells how it is doing. */
export class WatchSupervisor {
  readonly #options: SupervisorOptions;
  #openedAt = 0;
  /** What the current request does once the server answers it. */
  #asks: WatchPhase = 'listing';
  #told = false;
  /** Since when the current watch has worked; undefined until the server has answered it, and while it lists. */
  #worksSince: number | undefined;
  /** How often the version has expired since a watch last lived for a while. */
  #expiries = 0;
  /** How often in a row the server has answered that it is too busy. */
  #busy = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** A request goes out. */
  begins(phase: WatchPhase): void {
    const { health } = this.#options;
    // Still missing, until the server has answered otherwise.
    if (health.phase !== 'missing') health.phase = phase;
    this.#asks = phase;
    this.#openedAt = this.#options.clock.now();
    this.#worksSince = undefined;
  }

  /** The server has sent bytes. */
  heard(): void {
    const { health, clock } = this.#options;
    health.heard();
    if (health.phase === 'missing') health.phase = this.#asks;
    if (health.phase === 'watching') this.#worksSince ??= clock.now();
  }

  /** There is a complete list: the server works, and the next failure is a first one again; but not another expired version. */
  synced(): void {
    const { health, clock, metrics, resource } = this.#options;
    metrics.count('kube_watch_lists_total', { resource });
    health.synced = true;
    health.phase = 'watching';
    this.#worksSince = clock.now();
    this.#recovered();
  }

  /** The watch has said something: it works, and the next failure is a first one again. */
  progressed(): void {
    if (this.#hasLived) this.#startOver();
    this.#recovered();
  }

  stopped(): void {
    this.#options.health.phase = 'stopped';
  }

  /** For how long the current request has been open, in milliseconds. */
  get openMs(): number {
    return this.#options.clock.now() - this.#openedAt;
  }

  /**
   * Waits after a failure: longer each time, unless the watch had lived for a while. Two answers say that an outage has
   * ended, and are counted for themselves: the first time that the version has expired does not wait, since only a list is
   * missing; and a server that is busy (as it is with each kind that it is asked for first) says itself when to come back.
   */
  async pause(error: KubeError, signal: AbortSignal): Promise<void> {
    const { health, clock, metrics, resource } = this.#options;
    if (this.#hasLived) this.#startOver();
    health.failures += 1;
    this.#busy = error.code === 429 ? this.#busy + 1 : 0;
    if (isExpired(error)) this.#expiries += 1;
    health.lastError = error;
    health.phase = error.missing === 'kind' ? 'missing' : 'waiting';
    metrics.count('kube_watch_failures_total', { resource, reason: `${error.code ?? error.reason}` });
    const waitMs = this.#waitMs(error);
    this.#tell(error, waitMs);
    await clock.sleep(waitMs, signal);
  }

  #waitMs(error: KubeError): number {
    const { health, backoff, random } = this.#options;
    const attempt = isExpired(error) ? this.#expiries - 1 : this.#busy || health.failures;
    if (attempt === 0) return 0;
    return Math.max(backoffMs(attempt, backoff, random), error.retryAfterMs ?? 0);
  }

  /** Says once that something lasts: a passing failure is none of a reader's business. */
  #tell(error: KubeError, waitMs: number): void {
    const { health, log, resource } = this.#options;
    // An expired version is mended by a list.
    const retryable = error.retryable || isExpired(error);
    const lasting = Math.max(health.failures, this.#expiries) > 1 || !retryable;
    if (!lasting || this.#told)
      return log.debug('a watch failed and is retried', { resource, error, waitMs });
    this.#told = true;
    log.warn(
      error.missing === 'kind'
        ? 'a kind is not installed; waiting for it'
        : 'a watch keeps failing; retrying for ever',
      { resource, error },
    );
  }

  get #hasLived(): boolean {
    return this.#worksSince !== undefined && this.#options.clock.now() - this.#worksSince > LIVED_MS;
  }

  #startOver(): void {
    this.#expiries = 0;
    this.#forgetFailures();
  }

  #forgetFailures(): void {
    this.#options.health.failures = 0;
    this.#busy = 0;
  }

  #recovered(): void {
    const { health, log, resource } = this.#options;
    this.#forgetFailures();
    health.lastError = undefined;
    // One list after another is not yet a watch that works.
    if (this.#expiries > 1) return;
    if (this.#told) log.info('a watch works again', { resource });
    this.#told = false;
  }
}

// Longer than the longest pause: a watch that lived that long did not fail for the old reason.
const LIVED_MS = 30_000;
