import { type KubeObject, objectKey, type WatchEvent } from '@executor-status/controller';
import { errorFromFailure } from './error-from.ts';
import type { KubeClient, Selection } from './kube-client.ts';
import { KubeError } from './kube-error.ts';
import { isExpired, listPages } from './list-pages.ts';
import { describeTarget, type Resource } from './resource.ts';
import { type RawEvent, watchStream } from './watch-stream.ts';
import type { WatchSupervisor } from './watch-supervisor.ts';

/** What {@link Reflector} watches, and how. */
export interface ReflectorOptions<T> {
  readonly client: KubeClient;
  readonly resource: Resource;
  readonly selection: Selection;
  readonly metadataOnly: boolean;
  readonly project: (raw: KubeObject) => T;
  readonly random: () => number;
  readonly timeoutSeconds: readonly [least: number, most: number];
  readonly silenceMs: number;
  readonly pageSize: number;
  readonly emptyIfMissing: boolean;
  readonly supervisor: WatchSupervisor;
}

/** One list-then-watch that goes on for ever: what it knows between two requests. */
export class Reflector<T> {
  readonly #options: ReflectorOptions<T>;
  /** Where to go on; without it, the world is listed anew. */
  #version: string | undefined;
  /** Whether the server turned out to have no WatchList. */
  #byPages = false;
  /** Whether there has been a `synced`. */
  #told = false;
  /** At how many tries in a row the kind was not installed. */
  #missed = 0;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
  }

  /** Runs until `signal` is aborted; then it ends without another request. Never throws. */
  async *run(signal: AbortSignal): AsyncGenerator<WatchEvent<T>> {
    while (!signal.aborted) {
      try {
        yield* this.#version === undefined ? this.#list(signal) : this.#watch(this.#version, signal);
      } catch (cause) {
        if (signal.aborted) break;
        const error = errorFromFailure(this.#asked, cause, 'Internal');
        if (this.#isEmpty(error)) yield { kind: 'synced', objects: [] };
        await this.#recover(error, signal);
      }
    }
    this.#options.supervisor.stopped();
  }

  async *#list(signal: AbortSignal): AsyncGenerator<WatchEvent<T>> {
    this.#options.supervisor.begins('listing');
    if (this.#byPages) yield await this.#listPages(signal);
    else yield* this.#watchList(signal);
  }

  async #listPages(signal: AbortSignal): Promise<WatchEvent<T>> {
    const { client, resource, selection, metadataOnly, project, pageSize, supervisor } = this.#options;
    const options = { ...selection, metadataOnly, pageSize, signal };
    let objects: T[] = [];
    let version = '';
    for await (const page of listPages<KubeObject>(client, resource, options)) {
      supervisor.heard();
      if (page.first) objects = [];
      for (const raw of page.items) objects.push(project(raw));
      version = page.resourceVersion;
    }
    return this.#synced(objects, version);
  }

  /** The whole world through a watch, which then simply goes on. */
  async *#watchList(signal: AbortSignal): AsyncGenerator<WatchEvent<T>> {
    const world = new Map<string, T>();
    let listed = false;
    for await (const event of this.#open(undefined, signal)) {
      const news: WatchEvent<T> | undefined = listed ? this.#change(event) : this.#collect(world, event);
      listed ||= news !== undefined;
      if (news !== undefined) yield news;
    }
    if (!listed) throw this.#failure('EndedEarly', 'the first list ended before it was complete');
  }

  /** Adds to the world until it is complete. */
  #collect(world: Map<string, T>, event: RawEvent): WatchEvent<T> | undefined {
    const { metadata } = event.object;
    if (event.type === 'DELETED') world.delete(objectKey(metadata));
    else if (event.type !== 'BOOKMARK') world.set(objectKey(metadata), this.#options.project(event.object));
    else if (event.listed) {
      const objects = [...world.values()];
      world.clear();
      return this.#synced(objects, metadata.resourceVersion);
    }
    return undefined;
  }

  #synced(objects: readonly T[], version: string | undefined): WatchEvent<T> {
    if (!version) throw this.#failure('NoVersion', 'the list has no resourceVersion to go on from');
    this.#version = version;
    this.#told = true;
    this.#options.supervisor.synced();
    return { kind: 'synced', objects, resourceVersion: version };
  }

  async *#watch(version: string, signal: AbortSignal): AsyncGenerator<WatchEvent<T>> {
    const { supervisor } = this.#options;
    supervisor.begins('watching');
    let silent = true;
    for await (const event of this.#open(version, signal)) {
      silent = false;
      const news = this.#change(event);
      if (news !== undefined) yield news;
    }
    // A watch that ends in good order goes on at once; but not one that something closes again and again.
    if (silent && supervisor.openMs < SHORTEST_MS)
      throw this.#failure('EndedEarly', 'the watch ended at once');
  }

  /** What a line of a watch means; a bookmark only moves the version on. */
  #change(event: RawEvent): WatchEvent<T> | undefined {
    const { supervisor, project } = this.#options;
    supervisor.progressed();
    this.#version = event.object.metadata.resourceVersion ?? this.#version;
    if (event.type === 'BOOKMARK') return undefined;
    return { kind: event.type === 'DELETED' ? 'deleted' : 'applied', object: project(event.object) };
  }

  #open(from: string | undefined, signal: AbortSignal): AsyncGenerator<RawEvent> {
    const { client, resource, selection, metadataOnly, silenceMs, random, supervisor } = this.#options;
    const [least, most] = this.#options.timeoutSeconds;
    const timeoutSeconds = Math.floor(least + random() * (most - least + 1));
    const heard = () => supervisor.heard();
    const request = { ...selection, metadataOnly, from, timeoutSeconds, silenceMs, signal, heard };
    return watchStream(client, resource, request);
  }

  /** Whether the kind is not installed for sure, and nobody has been told yet. */
  #isEmpty(error: KubeError): boolean {
    this.#missed = error.missing === 'kind' ? this.#missed + 1 : 0;
    if (!this.#options.emptyIfMissing || this.#told || this.#missed < SURELY_MISSED) return false;
    this.#told = true;
    return true;
  }

  async #recover(error: KubeError, signal: AbortSignal): Promise<void> {
    if (isExpired(error)) this.#version = undefined;
    if (this.#version === undefined && !this.#byPages && lacksWatchList(error)) this.#byPages = true;
    else await this.#options.supervisor.pause(error, signal);
  }

  #failure(reason: string, detail: string): KubeError {
    return new KubeError({ ...this.#asked, reason, detail });
  }

  get #asked() {
    const { resource, selection } = this.#options;
    return { verb: 'watch', target: describeTarget(resource, selection) };
  }
}

// Much less than the shortest timeout that anyone asks for (1 s, in tests).
const SHORTEST_MS = 500;

// A server that has just started may not know all kinds yet.
const SURELY_MISSED = 3;

/** Whether a server without WatchList would have answered like that: refused the question, or took it for a plain watch. */
function lacksWatchList({ code, reason }: KubeError): boolean {
  if (code === undefined) return reason === 'Silent' || reason === 'EndedEarly';
  return WATCH_LIST_REFUSALS.has(code);
}

const WATCH_LIST_REFUSALS: ReadonlySet<number> = new Set([400, 405, 406, 415, 422]);
