import { constants } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import { type Fault, isStreamFault, type StreamFault } from './fault.ts';
import { lagging } from './lagging.ts';
import { type Effect, LineFaults } from './line-faults.ts';
import type { NetworkFront } from './network-front.ts';
import { type Refusal, refusal } from './refusal.ts';
import type { SeenRequest } from './seen-request.ts';
import type { Forwarded, Upstream, UpstreamAnswer } from './upstream.ts';

/** What one exchange goes through. */
export interface ExchangeParts {
  readonly request: SeenRequest;
  readonly forwarded: Forwarded;
  /** What happens to it. */
  readonly fault: Fault | undefined;
  readonly answer: Answer;
  /** The client's connection. */
  readonly connection: number;
  readonly front: NetworkFront;
  readonly upstream: Upstream;
}

/** One request, from the client to the API server and back, and what goes wrong on the way. */
export class Exchange {
  readonly #parts: ExchangeParts;
  readonly #lines = new LineFaults();
  /** Whether the client has the head of its answer. */
  #begun = false;
  /** Whether nothing more passes, however the stream ended or did not. */
  #over = false;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
  }

  get request(): SeenRequest {
    return this.#parts.request;
  }

  /** Runs until the client has its answer, or never will. Never rejects. */
  async run(): Promise<void> {
    const { fault, answer } = this.#parts;
    if (fault?.kind === 'answer') return this.#refuse(refusal(fault));
    if (fault !== undefined && isStreamFault(fault)) this.#lines.arm(fault);
    if (fault !== undefined && neverArrives(fault)) return this.#perform(this.#lines.due());
    // A client that leaves while it waits is not waited for, and never reaches the API server.
    const { closed: signal } = answer;
    if (fault?.kind === 'delay') await sleep(fault.ms, undefined, { signal }).catch(() => undefined);
    if (!answer.closed.aborted) await this.#forward().catch(() => answer.cut());
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** Lets something happen to the answer from now on; at once if it takes no further line, and no head that is still to come. */
  strike(fault: StreamFault): void {
    this.#lines.arm(fault);
    if (this.#begun || !NEEDS_HEAD.has(fault.kind)) this.#perform(this.#lines.due());
  }

  #refuse(refused: Refusal): void {
    this.#over = true;
    this.#parts.answer.refuse(refused);
  }

  async #forward(): Promise<void> {
    const { upstream, connection, forwarded, answer, fault, request } = this.#parts;
    if (fault?.kind === 'goaway') answer.goAway();
    const received = await upstream.send(connection, forwarded);
    const cancel = () => received.stream.close(constants.NGHTTP2_CANCEL);
    answer.closed.addEventListener('abort', cancel, { once: true });
    if (answer.closed.aborted) return cancel();
    if (fault?.kind === 'lose') return this.#lose(received, fault.whole === true);
    answer.begin(received.code, headersFor(received));
    this.#begun = true;
    this.#perform(this.#lines.due());
    const lagMs = fault?.kind === 'lag' && request.verb === 'watch' ? fault.ms : 0;
    for await (const chunk of lagging(received.stream, lagMs)) await this.#pass(this.#lines.take(chunk));
    await this.#pass(this.#lines.finish());
  }

  async #lose({ stream }: UpstreamAnswer, whole: boolean): Promise<void> {
    for await (const _ of stream);
    this.strike({ kind: whole ? 'reset' : 'cut' });
  }

  async #pass(effects: Iterable<Effect>): Promise<void> {
    const { answer, fault } = this.#parts;
    for (const effect of effects) {
      if (this.#over || answer.closed.aborted) return;
      if (effect.kind === 'pass' && fault?.kind === 'drip') await this.#drip(effect.bytes, fault);
      else if (effect.kind === 'pass') await answer.pass(effect.bytes);
      else return this.#finish(effect.kind);
    }
  }

  /** As {@link #pass}, without waiting for the client. */
  #perform(effects: Iterable<Effect>): void {
    for (const effect of effects) {
      if (this.#over) return;
      if (effect.kind === 'pass') void this.#parts.answer.pass(effect.bytes);
      else return this.#finish(effect.kind);
    }
  }

  async #drip(bytes: Buffer, { bytes: size, everyMs }: Extract<Fault, { kind: 'drip' }>): Promise<void> {
    const { answer } = this.#parts;
    for (let from = 0; from < bytes.length && !answer.closed.aborted; from += size) {
      await answer.pass(bytes.subarray(from, from + size));
      await sleep(everyMs);
    }
  }

  #finish(kind: Exclude<Effect['kind'], 'pass'>): void {
    const { answer, front, connection } = this.#parts;
    this.#over = true;
    switch (kind) {
      case 'end':
        return answer.end();
      case 'cut':
        return answer.cut();
      case 'reset':
        return front.reset(connection);
      case 'drop':
        return front.freeze(connection);
      case 'stall':
        return;
    }
  }
}

/** What is told in the body of an answer, or is its end in good order. */
const NEEDS_HEAD: ReadonlySet<StreamFault['kind']> = new Set(['expired', 'end']);

/** Whether the API server never hears of a request that meets the fault. */
function neverArrives(fault: Fault): boolean {
  return ['cut', 'reset', 'drop', 'stall'].includes(fault.kind) && isStreamFault(fault) && !fault.lines;
}

/** The length may change, and the rest belongs to the other connection. */
function headersFor({ headers }: UpstreamAnswer): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_PASSED.has(name)));
}

const NOT_PASSED: ReadonlySet<string> = new Set([
  'content-length',
  'connection',
  'transfer-encoding',
  'keep-alive',
]);
