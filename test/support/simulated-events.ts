import { EventRecorder, type EventRecorderOptions } from '@executor-status/kube';

/** One write of an Event: a new one, or a further count of one. */
export interface SimulatedEvent {
  readonly atS: number;
  readonly verb: 'create' | 'count';
  /** Of a new one. */
  readonly reason?: string;
  readonly note?: string;
}

/** The Events of an API server in memory. */
export class SimulatedEvents {
  readonly writes: SimulatedEvent[] = [];
  /** Tells them, as in an aggregator. */
  readonly recorder: EventRecorder;
  readonly #nowMs: () => number;

  /** @param nowMs - the simulated clock. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.recorder = new EventRecorder({
      client: this.#client,
      reporter: { controller: 'status.ratify.sh/status-aggregator', instance: 'aggregator' },
      random: () => 0.5,
    });
  }

  /** As much of a client as a recorder of Events calls. */
  get #client(): EventRecorderOptions['client'] {
    const clock = { now: this.#nowMs, wallMs: this.#nowMs, sleep: async () => {} };
    const create = async (
      _resource: unknown,
      event: { readonly reason?: string; readonly note?: string },
    ) => {
      const { reason = '', note = '' } = event;
      this.writes.push({ atS: this.#nowMs() / 1000, verb: 'create', reason, note });
      return event;
    };
    const request = async () => this.writes.push({ atS: this.#nowMs() / 1000, verb: 'count' });
    return { clock, create, request } as unknown as EventRecorderOptions['client'];
  }
}
