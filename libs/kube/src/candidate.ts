import { spread } from '@executor-status/controller';
import type { Clock } from './clock.ts';
import type { CallOptions, KubeClient } from './kube-client.ts';
import { KubeError } from './kube-error.ts';
import type { LeaderState } from './leader-election.ts';
import { heldBy, type Lease, type LeaseSpec, released } from './lease.ts';
import { LeaseView } from './lease-view.ts';
import type { Log } from './log.ts';
import { LEASE } from './resource.ts';

/** The settings of a {@link Candidate}, complete. */
export interface CandidateOptions {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'replace'>;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

/** One candidate for one Lease: tries to take it, then to keep it. */
export class Candidate {
  readonly #options: CandidateOptions;
  readonly #view: LeaseView;
  /** Until when nobody else can have taken over, on our clock; `undefined` while we do not lead. */
  #leadsUntil: number | undefined;
  /** Whether we did not lead for a while and lead again, since nobody else has taken over. */
  #regained = false;
  /** Whether what we last saw of the Lease is what we wrote ourselves. */
  #ownWriteSeen = false;
  #stopped = false;
  #trying: Promise<void> = Promise.resolve();

  constructor(options: CandidateOptions) {
    this.#options = options;
    this.#view = new LeaseView(options.clock);
  }

  get leads(): boolean {
    return !this.#stopped && this.#leadsUntil !== undefined && this.#options.clock.now() < this.#leadsUntil;
  }

  get leaseLeftMs(): number {
    const { leaseDurationMs, renewDeadlineMs, clock } = this.#options;
    if (!this.leads || this.#leadsUntil === undefined) return 0;
    return this.#leadsUntil - clock.now() + leaseDurationMs - renewDeadlineMs;
  }

  get holder(): string | undefined {
    return this.#view.holder;
  }

  get leaderlessMs(): number {
    return this.leads ? 0 : this.#view.vacantMs;
  }

  /** Runs until the leadership is lost, given up, or `signal` is aborted. Never throws. */
  async *run(signal: AbortSignal): AsyncGenerator<LeaderState> {
    const { log, identity } = this.#options;
    yield 'follower';
    await this.#tryUntil(() => this.leads, signal);
    if (this.#ends(signal)) return;
    log.info('leads from now on', { identity });
    do {
      this.#regained = false;
      yield 'leader';
      await this.#tryUntil(() => !this.leads || this.#regained, signal);
      if (this.#ends(signal)) return;
    } while (this.leads);
    log.warn('does not lead any more', { identity, holder: this.holder });
    yield 'lost';
  }

  async release(): Promise<void> {
    const led = this.leads;
    this.#stopped = true;
    // A try that is on its way may just win the Lease.
    await this.#trying;
    if (!led && !this.#ownWriteSeen) return;
    try {
      const lease = await this.#read();
      if (lease?.spec?.holderIdentity === this.#options.identity) {
        await this.#write(lease, released(lease.spec, this.#options.clock.wallMs()));
      }
    } catch (error) {
      this.#options.log.info('could not give the lease up; it runs out by itself', { error });
    }
  }

  async #tryUntil(reached: () => boolean, signal: AbortSignal): Promise<void> {
    const { clock, retryPeriodMs, random } = this.#options;
    const done = () => this.#ends(signal) || reached();
    while (!done()) {
      const nextAt = clock.now() + spread(retryPeriodMs, JITTER, random);
      this.#trying = this.#try(signal);
      await this.#trying;
      if (done()) return;
      // Not longer than we lead: the loss must be told when it happens.
      const untilMs = this.leads ? Math.min(nextAt, this.#leadsUntil ?? nextAt) : nextAt;
      await clock.sleep(Math.max(untilMs - clock.now(), 0), signal);
    }
  }

  #ends(signal: AbortSignal): boolean {
    return signal.aborted || this.#stopped;
  }

  /** One try to take or to renew the Lease. */
  async #try(signal: AbortSignal): Promise<void> {
    try {
      const lease = this.#ownWriteSeen ? this.#view.lease : await this.#read(signal);
      if (this.#isTaken()) {
        this.#leadsUntil = undefined;
        return;
      }
      if (this.#ends(signal)) return;
      const { clock, identity, leaseDurationMs, renewDeadlineMs } = this.#options;
      const sentAt = clock.now();
      const terms = { durationMs: leaseDurationMs, wallMs: clock.wallMs() };
      await this.#write(lease, heldBy(identity, lease?.spec, terms), signal);
      this.#regained ||= this.#leadsUntil !== undefined && clock.now() >= this.#leadsUntil;
      this.#leadsUntil = sentAt + renewDeadlineMs;
    } catch (error) {
      this.#ownWriteSeen = false;
      const lost = error instanceof KubeError && error.code === 409;
      // Somebody else was faster, or has touched the object: the next try reads it.
      this.#options.log.debug(lost ? 'the lease has changed meanwhile' : 'cannot reach the lease', { error });
    }
  }

  /** Whether somebody else holds the Lease, and may still be alive. */
  #isTaken(): boolean {
    return this.#view.holder !== this.#options.identity && this.#view.leftMs > 0;
  }

  async #read(signal?: AbortSignal): Promise<Lease | undefined> {
    const { client, namespace, name } = this.#options;
    const lease = await client.get<Lease>(LEASE, { namespace, name }, this.#call(signal));
    if (lease !== undefined) this.#view.see(lease);
    return lease;
  }

  async #write(lease: Lease | undefined, spec: LeaseSpec, signal?: AbortSignal): Promise<void> {
    const { client, namespace, name } = this.#options;
    const call = this.#call(signal);
    const written =
      lease === undefined
        ? await client.create<Lease>(LEASE, { metadata: { namespace, name }, spec }, call)
        : await client.replace<Lease>(LEASE, { ...lease, spec }, call);
    this.#view.see(written);
    this.#ownWriteSeen = true;
  }

  #call(signal?: AbortSignal): CallOptions {
    const timeoutMs = this.#options.renewDeadlineMs / 2;
    return { priority: 'urgent', timeoutMs, ...(signal && { signal }) };
  }
}

// Candidates that start together drift apart.
const JITTER = 0.2;
