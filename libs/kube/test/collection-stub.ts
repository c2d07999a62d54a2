import { type ApiStub, json, refuse, type StubAnswer, type StubRequest } from './api-stub.ts';

/** An object of the collection. */
export interface StubObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly color: string;
}

/** An answer in place of the collection's own, which `proceed` gives. */
export type Fault = (request: StubRequest, answer: StubAnswer, proceed: () => void) => void;

/** A collection that is listed and watched as the API server does it, with faults on demand. */
export class CollectionStub {
  readonly #objects = new Map<string, StubObject>();
  readonly #history: { readonly version: number; readonly type: string; readonly object: StubObject }[] = [];
  readonly #watches = new Set<StubAnswer>();
  #version = 1;
  #oldest = 0;
  #uids = 0;
  /** How the next requests are answered, one each, before the collection answers itself again. */
  readonly faults: Fault[] = [];
  /** How all requests are answered while it is there. */
  outage: Fault | undefined;
  hasWatchList = true;
  /** The most watches that were ever open at once. */
  mostWatches = 0;

  constructor(stub: ApiStub) {
    stub.handler = (request, answer) => {
      const proceed = () => this.#answer(request, answer);
      const fault = this.faults.shift() ?? this.outage ?? proceed;
      fault(request, answer, proceed);
    };
  }

  get objects(): readonly StubObject[] {
    return [...this.#objects.values()];
  }

  get watches(): number {
    return this.#watches.size;
  }

  put(name: string, color = 'red'): void {
    const known = this.#objects.get(name);
    const uid = known?.metadata.uid ?? `uid-${(this.#uids += 1)}`;
    const object = this.#newObject({ name, uid, color });
    this.#objects.set(name, object);
    this.#happen(known === undefined ? 'ADDED' : 'MODIFIED', object);
  }

  delete(name: string): void {
    const known = this.#objects.get(name);
    if (known === undefined) return;
    this.#objects.delete(name);
    this.#happen('DELETED', this.#newObject({ ...known.metadata, color: known.color }));
  }

  /** Tells all watches how far they are. */
  bookmark(): void {
    for (const watch of this.#watches) send(watch, 'BOOKMARK', this.#bookmarkObject());
  }

  /** Forgets what happened until now: who wants to go on from before gets 410. */
  compact(): void {
    this.#version += 1;
    this.#oldest = this.#version;
  }

  /** Ends all watches in good order, as the server does after `timeoutSeconds`. */
  endWatches(): void {
    for (const watch of this.#watches) watch.end();
  }

  /** Writes something into all watches. */
  writeToWatches(text: string): void {
    for (const watch of this.#watches) watch.write(text);
  }

  #answer(request: StubRequest, answer: StubAnswer): void {
    const { query } = request;
    if (query['watch'] === undefined) return this.#list(request, answer);
    if (query['sendInitialEvents'] === undefined)
      return this.#resume(Number(query['resourceVersion']), answer);
    if (this.hasWatchList) return this.#watchList(answer);
    refuse(answer, 422, { reason: 'Invalid', message: 'sendInitialEvents is forbidden' });
  }

  #list({ query }: StubRequest, answer: StubAnswer): void {
    const limit = Number(query['limit'] ?? 500);
    const [from = 0, version = this.#version] = (query['continue'] ?? '')
      .split('@')
      .filter(Boolean)
      .map(Number);
    if (version < this.#oldest) return refuse(answer, 410, { reason: 'Expired' });
    const rest = this.objects.length - from - limit;
    const metadata = {
      resourceVersion: `${version}`,
      ...(rest > 0 && { continue: `${from + limit}@${version}`, remainingItemCount: rest }),
    };
    const items = this.objects.slice(from, from + limit);
    json(answer, { kind: 'PodList', metadata, items: items.length === 0 ? null : items });
  }

  #resume(from: number, answer: StubAnswer): void {
    if (from < this.#oldest) return refuse(answer, 410, { reason: 'Expired' });
    this.#begin(answer);
    for (const { version, type, object } of this.#history) if (version > from) send(answer, type, object);
  }

  #watchList(answer: StubAnswer): void {
    this.#begin(answer);
    for (const object of this.#objects.values()) send(answer, 'ADDED', object);
    send(answer, 'BOOKMARK', this.#bookmarkObject({ 'k8s.io/initial-events-end': 'true' }));
  }

  #begin(answer: StubAnswer): void {
    answer.writeHead(200, { 'content-type': 'application/json' });
    answer.write('');
    this.#watches.add(answer);
    this.mostWatches = Math.max(this.mostWatches, this.#watches.size);
    answer.on('close', () => this.#watches.delete(answer));
  }

  #newObject({ name, uid, color }: { name: string; uid: string; color: string }): StubObject {
    this.#version += 1;
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, uid, resourceVersion: `${this.#version}` },
      color,
    };
  }

  #bookmarkObject(annotations: Record<string, string> = {}) {
    return { kind: 'Pod', metadata: { resourceVersion: `${this.#version}`, annotations } };
  }

  #happen(type: string, object: StubObject): void {
    this.#history.push({ version: this.#version, type, object });
    for (const watch of this.#watches) send(watch, type, object);
  }
}

function send(answer: StubAnswer, type: string, object: unknown): void {
  if (answer.writable) answer.write(`${JSON.stringify({ type, object })}\n`);
}
