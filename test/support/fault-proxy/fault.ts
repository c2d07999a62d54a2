/** What can go wrong with one request, and how. */
export type Fault = CallFault | StreamFault;

/** A fault of the request as a whole. */
export type CallFault =
  /** It is held back for a while, then goes on as usual. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** It never reaches the API server; this is the answer. As a `Status`, or as the HTML page of something in between. */
  | {
      readonly kind: 'answer';
      readonly code: number;
      readonly retryAfterSeconds?: number;
      readonly form?: 'status' | 'html';
    }
  /** The API server does what it is asked to, and the answer is lost with the stream (or the whole connection). */
  | { readonly kind: 'lose'; readonly whole?: boolean }
  /** The answer comes in pieces of so many bytes, one each so many milliseconds. */
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** What a watch says comes so many milliseconds late. */
  | { readonly kind: 'lag'; readonly ms: number }
  /** The client is told to take another connection; this request goes on as usual. */
  | { readonly kind: 'goaway' };

/**
 * A fault of the answer. Of a watch it comes after `lines` lines have passed (0 if absent); the answer to any other
 * request counts as one line.
 */
export type StreamFault =
  /** The stream ends with an error. */
  | { readonly kind: 'cut'; readonly lines?: number }
  /** The TCP connection is reset, with everything on it. */
  | { readonly kind: 'reset'; readonly lines?: number }
  /** Nothing passes on the whole connection any more, in either direction, and nobody closes it: half open. */
  | { readonly kind: 'drop'; readonly lines?: number }
  /** Nothing passes on this stream any more; the others on its connection go on. */
  | { readonly kind: 'stall'; readonly lines?: number }
  /** It ends in good order. */
  | { readonly kind: 'end'; readonly lines?: number }
  /** Half of the next line passes, then it ends in good order. */
  | { readonly kind: 'truncate'; readonly lines?: number }
  /** The next line is no JSON. */
  | { readonly kind: 'garble'; readonly lines?: number }
  /** The next line is lost; the stream goes on. */
  | { readonly kind: 'skip'; readonly lines?: number }
  /** An `ERROR` event with code 410, then the end in good order. */
  | { readonly kind: 'expired'; readonly lines?: number };

/** A name for a fault in figures and traces: its kind, for an answer with the HTTP status. */
export function faultName(fault: Fault): string {
  return fault.kind === 'answer' ? `answer ${fault.code}` : fault.kind;
}

export function isStreamFault(fault: Fault): fault is StreamFault {
  return STREAM_KINDS.has(fault.kind);
}

const STREAM_KINDS: ReadonlySet<string> = new Set([
  'cut',
  'reset',
  'drop',
  'stall',
  'end',
  'truncate',
  'garble',
  'skip',
  'expired',
] satisfies StreamFault['kind'][]);
