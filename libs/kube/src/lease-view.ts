import type { Clock } from './clock.ts';
import type { Lease, LeaseSpec } from './lease.ts';

/**
 * What one candidate has seen of a Lease. Whether the holder is alive is judged only by when *we* saw the Lease change, on
 * our monotonic clock: the times inside it come from clocks that may be hours apart.
 */
export class LeaseView {
  readonly #clock: Clock;
  #lease: Lease | undefined;
  #changedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#changedAt = clock.now();
  }

  get lease(): Lease | undefined {
    return this.#lease;
  }

  /** Who holds it; `undefined` if it was given up, or never taken. */
  get holder(): string | undefined {
    return this.#lease?.spec?.holderIdentity || undefined;
  }

  /** How long until its holder, if there is one, must be taken for dead, in milliseconds; 0 or less once that is so. */
  get leftMs(): number {
    if (this.holder === undefined) return 0;
    const durationMs = (this.#lease?.spec?.leaseDurationSeconds ?? 0) * 1000;
    return this.#changedAt + durationMs - this.#clock.now();
  }

  /** How long nobody has held it, in milliseconds; 0 while somebody does. */
  get vacantMs(): number {
    if (this.leftMs > 0) return 0;
    const since = this.holder === undefined ? this.#changedAt - this.#clock.now() : this.leftMs;
    return -since;
  }

  /** Takes in what the server says now. */
  see(lease: Lease): void {
    if (!isSame(this.#lease?.spec, lease.spec)) this.#changedAt = this.#clock.now();
    this.#lease = lease;
  }
}

const isSame = (a: LeaseSpec | undefined, b: LeaseSpec | undefined) =>
  JSON.stringify(a) === JSON.stringify(b);
