import type { KubeObject } from '@executor-status/controller';
import { type Asked, errorFromFailure, errorFromStatus } from './error-from.ts';
import { jsonLines } from './json-lines.ts';
import type { KubeClient, KubeRequest, Selection } from './kube-client.ts';
import { partialMetadata } from './partial-metadata.ts';
import { describeTarget, type Resource, resourcePath } from './resource.ts';
import { SilenceLimit } from './silence-limit.ts';

/** One line of a watch. A bookmark only moves the version on; `listed` ends the first list of a WatchList. */
export type RawEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject }
  | { readonly type: 'BOOKMARK'; readonly object: KubeObject; readonly listed: boolean };

/** One watch request. */
export interface WatchRequest extends Selection {
  readonly metadataOnly: boolean;
  /** Where to go on; `undefined` asks for a WatchList: all objects first, then a `listed` bookmark, then changes. */
  readonly from: string | undefined;
  /** How long the server keeps it, in seconds. */
  readonly timeoutSeconds: number;
  /** How long it may be silent, in milliseconds. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
  /** Called whenever the server was heard. */
  readonly heard: () => void;
}

/**
 * The events of one watch request, until the server ends it in good order.
 *
 * @throws {KubeError} when it is refused or breaks, when a line cannot be read (`BadLine`), when the server reports an
 *   error (410 `Expired`, in either form), or when it is silent for too long (`Silent`).
 */
export async function* watchStream(
  client: Pick<KubeClient, 'open' | 'clock'>,
  resource: Resource,
  request: WatchRequest,
): AsyncGenerator<RawEvent> {
  const { clock } = client;
  const silence = new SilenceLimit(clock);
  const signal = AbortSignal.any([request.signal, silence.signal]);
  const call = callOf(resource, request, signal);
  let listed = request.from !== undefined;
  const gather = async () => {
    // A list comes as fast as it can be read.
    if (listed) await clock.sleep(GATHER_MS, signal);
  };
  try {
    const { chunks, pinged } = await client.open(call);
    void silence.start(pinged ? request.silenceMs : Math.min(request.silenceMs, UNPINGED_SILENCE_MS));
    const heard = noting(chunks, [request.heard, () => silence.heard()]);
    for await (const line of jsonLines(pausing(heard, gather))) {
      const event = eventFrom(line, call);
      if (event.type === 'BOOKMARK') listed ||= event.listed;
      yield event;
    }
  } catch (cause) {
    if (silence.over) throw errorFromFailure(call, new Error('nothing was heard for too long'), 'Silent');
    throw errorFromFailure(call, cause, 'BadLine');
  } finally {
    silence.end();
  }
}

// Where no pings find a dead connection, a watch proves that it lives by starting over where it was: in time for the 45 s
// in which silence must be noticed. The server itself speaks once a minute (k8s.io/apiserver, cacher, bookmarks).
const UNPINGED_SILENCE_MS = 40_000;

// An event that comes alone costs more for waking up than for itself, so those of a moment are read at once: 250 a second take a
// quarter less processor time.
const GATHER_MS = 50;
// Below what a stream of Node.js holds (64 KiB): a server that has more to say is never kept waiting.
const FEW_BYTES = 32 * 1024;

function callOf(resource: Resource, request: WatchRequest, signal: AbortSignal): KubeRequest {
  const { namespace, labelSelector, fieldSelector, from, timeoutSeconds, metadataOnly } = request;
  const where = namespace === undefined ? {} : { namespace };
  const start =
    from === undefined
      ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
      : { resourceVersion: from };
  return {
    method: 'GET',
    path: resourcePath(resource, where),
    query: { watch: true, allowWatchBookmarks: true, timeoutSeconds, labelSelector, fieldSelector, ...start },
    ...(metadataOnly && { accept: partialMetadata('object') }),
    verb: 'watch',
    target: describeTarget(resource, where),
    resource: resource.plural,
    signal,
  };
}

async function* noting(
  chunks: AsyncIterable<Uint8Array>,
  listeners: readonly (() => void)[],
): AsyncGenerator<Uint8Array> {
  for (const tell of listeners) tell();
  for await (const chunk of chunks) {
    for (const tell of listeners) tell();
    yield chunk;
  }
}

/** Passes `chunks` on, with a pause after each small one. */
async function* pausing(
  chunks: AsyncIterable<Uint8Array>,
  pause: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    if (chunk.byteLength < FEW_BYTES) await pause();
  }
}

function eventFrom(line: unknown, asked: Asked): RawEvent {
  if (!isEvent(line)) throw new SyntaxError('a line is not a watch event');
  if (line.type === 'ERROR') throw errorFromStatus(asked, line.object);
  if (!isObject(line.object)) throw new SyntaxError('a watch event is not about an object');
  switch (line.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: line.type, object: line.object };
    case 'BOOKMARK':
      return { type: line.type, object: line.object, listed: isListed(line.object) };
    default:
      throw new SyntaxError('a watch event has an unknown type');
  }
}

function isEvent(line: unknown): line is { readonly type: unknown; readonly object: unknown } {
  return typeof line === 'object' && line !== null && 'type' in line && 'object' in line;
}

function isObject(value: unknown): value is KubeObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    'metadata' in value &&
    typeof value.metadata === 'object' &&
    value.metadata !== null
  );
}

/** @see kubernetes/enhancements KEP-3157: the annotation on the bookmark that ends the initial events. */
function isListed({ metadata }: KubeObject): boolean {
  const annotations: unknown = 'annotations' in metadata ? metadata.annotations : undefined;
  return (
    typeof annotations === 'object' && annotations !== null && 'k8s.io/initial-events-end' in annotations
  );
}
