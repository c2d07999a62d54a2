import type { StreamFault } from './fault.ts';

/** What becomes of a stream next: bytes that pass, or how it ends. */
export type Effect =
  | { readonly kind: 'pass'; readonly bytes: Buffer }
  | { readonly kind: 'cut' | 'reset' | 'drop' | 'stall' | 'end' };

/** Passes a stream on line by line, and lets at most one fault at a time happen to it. */
export class LineFaults {
  #fault: StreamFault | undefined;
  /** How many lines pass before it. */
  #left = 0;
  #rest = Buffer.alloc(0);

  /** Prepares a fault; one that was prepared before is forgotten. */
  arm(fault: StreamFault): void {
    this.#fault = fault;
    this.#left = fault.lines ?? 0;
  }

  /** What happens without waiting for another line: most faults, once their lines have passed. */
  *due(): Generator<Effect> {
    if (this.#fault === undefined || this.#left > 0) return;
    switch (this.#fault.kind) {
      case 'expired':
        yield { kind: 'pass', bytes: EXPIRED };
        yield { kind: 'end' };
        return;
      case 'truncate':
      case 'garble':
      case 'skip':
        return;
      default:
        yield { kind: this.#fault.kind };
    }
  }

  /** What becomes of the next bytes. The caller stops at the first effect that is an end. */
  *take(bytes: Buffer): Generator<Effect> {
    const all = Buffer.concat([this.#rest, bytes]);
    let from = 0;
    for (let end = all.indexOf(LINE_END); end !== -1; end = all.indexOf(LINE_END, from)) {
      yield* this.#line(all.subarray(from, end + 1));
      yield* this.due();
      from = end + 1;
    }
    this.#rest = all.subarray(from);
  }

  /** What becomes of bytes without a line end, when nothing more comes. */
  *finish(): Generator<Effect> {
    if (this.#rest.length > 0) yield* this.#line(this.#rest);
    yield { kind: 'end' };
  }

  *#line(line: Buffer): Generator<Effect> {
    const fault = this.#left === 0 ? this.#fault : undefined;
    this.#left = Math.max(0, this.#left - 1);
    switch (fault?.kind) {
      case 'skip':
        this.#fault = undefined;
        return;
      case 'garble':
        this.#fault = undefined;
        yield { kind: 'pass', bytes: Buffer.from('{"type":"MODIFIED","object":{"metad\n') };
        return;
      case 'truncate':
        yield { kind: 'pass', bytes: line.subarray(0, Math.ceil(line.length / 2)) };
        yield { kind: 'end' };
        return;
      default:
        yield { kind: 'pass', bytes: line };
    }
  }
}

const LINE_END = 0x0a;

const EXPIRED = Buffer.from(
  `${JSON.stringify({
    type: 'ERROR',
    object: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'too old resource version: 1 (2)',
      reason: 'Expired',
      code: 410,
    },
  })}\n`,
);
