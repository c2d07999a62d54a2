import { backoffMs } from '@executor-status/controller';
import type { Clock } from './clock.ts';
import type { KubeClient } from './kube-client.ts';
import { KubeError } from './kube-error.ts';
import { type Happening, type KubeEvent, newKubeEvent, type Reporter, seriesKey } from './kube-event.ts';
import { type Log, noLog } from './log.ts';
import { microTime } from './micro-time.ts';
import { describeTarget, EVENT, resourcePath } from './resource.ts';

/** What {@link EventRecorder} needs. */
export interface EventRecorderOptions {
  readonly client: Pick<KubeClient, 'create' | 'request' | 'clock'>;
  readonly reporter: Reporter;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** For how long the same happening about the same object is only counted, in milliseconds; default 300,000. */
  readonly seriesMs?: number;
  /** How many events may wait to be sent; more are dropped. Default 100. */
  readonly maxWaiting?: number;
  readonly log?: Log;
}

/**
 * Tells what happened as Events. The same happening (object, type, reason, action) becomes one Event, and its repetitions
 * become the count of that Event, written at most once in `seriesMs`. Events are a courtesy: they are sent one after the
 * other in the background, and what cannot be sent is dropped after five tries.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #clock: Clock;
  readonly #series = new Map<string, Series>();
  #sending: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#clock = options.client.clock;
  }

  /** Never throws and never waits. */
  record(happening: Happening): void {
    const key = seriesKey(happening);
    const series = this.#series.get(key) ?? {
      event: undefined,
      count: 0,
      writtenAt: Number.NEGATIVE_INFINITY,
    };
    // Anew at the end, so that the first ones are those that nothing was heard of for longest.
    this.#series.delete(key);
    this.#series.set(key, series);
    this.#forgetOld();
    series.count += 1;
    if (this.#clock.now() - series.writtenAt < (this.#options.seriesMs ?? SERIES_MS)) return;
    series.writtenAt = this.#clock.now();
    this.#enqueue(() => this.#tell(series, happening));
  }

  /** Resolves when everything that was recorded has been sent or dropped. */
  idle(): Promise<void> {
    return this.#sending;
  }

  #enqueue(send: () => Promise<void>): void {
    if (this.#waiting >= (this.#options.maxWaiting ?? MAX_WAITING)) return;
    this.#waiting += 1;
    this.#sending = this.#sending.then(() => this.#insist(send)).finally(() => (this.#waiting -= 1));
  }

  async #insist(send: () => Promise<void>): Promise<void> {
    const { random, log = noLog } = this.#options;
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      try {
        return await send();
      } catch (error) {
        const again = error instanceof KubeError && error.retryable && attempt < TRIES;
        log.debug(again ? 'an event could not be sent yet' : 'an event was dropped', { error });
        if (!again) return;
        await this.#clock.sleep(Math.max(backoffMs(attempt, BACKOFF, random), error.retryAfterMs ?? 0));
      }
    }
  }

  async #tell(series: Series, happening: Happening): Promise<void> {
    const { client, reporter, random } = this.#options;
    const known = series.event;
    if (known !== undefined) {
      if (await this.#count(known, series.count)) return;
      series.count = 1;
    }
    const told = { wallMs: this.#clock.wallMs(), random: random() };
    series.event = await client.create<KubeEvent>(EVENT, newKubeEvent(happening, reporter, told));
  }

  /** Writes how often it has happened; false if the Event is gone, which it is after an hour. */
  async #count({ metadata }: KubeEvent, count: number): Promise<boolean> {
    const series = { count, lastObservedTime: microTime(this.#clock.wallMs()) };
    const counted = this.#options.client.request({
      method: 'PATCH',
      path: resourcePath(EVENT, metadata),
      body: { series },
      contentType: 'application/merge-patch+json',
      verb: 'patch',
      target: describeTarget(EVENT, metadata),
      resource: EVENT.plural,
    });
    return counted.then(
      () => true,
      (error: unknown) => {
        if (error instanceof KubeError && error.missing === 'object') return false;
        throw error;
      },
    );
  }

  #forgetOld(): void {
    for (const key of this.#series.keys()) {
      if (this.#series.size <= MAX_SERIES) return;
      this.#series.delete(key);
    }
  }
}

interface Series {
  event: KubeEvent | undefined;
  count: number;
  writtenAt: number;
}

const SERIES_MS = 300_000;
const MAX_WAITING = 100;
/** A bound, so that objects that come and go cannot fill the memory. */
const MAX_SERIES = 1000;
const TRIES = 5;
const BACKOFF = { baseMs: 1000, maxMs: 16_000, jitter: 0.2 };
