import type { Clock } from './clock.ts';
import type { ObjectRef, Resource } from './resource.ts';

/** What every call takes. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The deadline for everything: waiting in line, connecting, the whole answer. Default: the client's `callTimeoutMs`. */
  readonly timeoutMs?: number;
  /** `urgent` calls (the Lease) overtake all waiting ones. Default `normal`. */
  readonly priority?: CallPriority;
  /**
   * Asked when the turn of the call has come, right before it is sent, and again before it is sent a second time after a 401. If it
   * says no, the call fails with the reason `Withheld`. Default: it may always be sent.
   */
  readonly mayStill?: () => boolean;
}

export type CallPriority = 'urgent' | 'normal';

export interface ReadOptions extends CallOptions {
  /** Asks for `PartialObjectMetadata`: apiVersion, kind and metadata only. */
  readonly metadataOnly?: boolean;
}

/** Which objects of a kind. */
export interface Selection {
  /** Only this namespace; all of them if absent. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions extends ReadOptions, Selection {
  /** How many objects to ask for at once; default 500. The answer is complete whatever this is. */
  readonly pageSize?: number;
}

/** A complete list, and the version of the collection that it shows. */
export interface ObjectList<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

/** An object that is sent; it may have more members than these. `apiVersion` and `kind` are filled in from the resource. */
export interface Sent {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

export interface ApplyOptions extends CallOptions {
  readonly fieldManager: string;
  /** Applies to the status subresource instead of the object itself. */
  readonly subresource?: 'status';
}

/** What to remove. With a uid or a version, only the object that still has it. */
export interface RemoveTarget extends ObjectRef {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** Any call, for what has no method of its own. */
export interface KubeRequest extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the server's address, with a leading slash and without a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  /** Of the body; default `application/json`. */
  readonly contentType?: string;
  /** Default `application/json`. */
  readonly accept?: string;
  /** What is done to what, for error messages and metrics. */
  readonly verb: string;
  readonly target: string;
  /** The plural name, for metrics; default `other`. */
  readonly resource?: string;
}

/** An answer that goes on. */
export interface ByteStream {
  /** The bytes as they come; to be read once. A failure is a `KubeError`. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Whether pings find out if the connection is dead (HTTP/2). If not, silence means nothing. */
  readonly pinged: boolean;
}

/** Who the API server takes us for. */
export interface Self {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  /** With a pod-bound token: `authentication.kubernetes.io/pod-name` and `/pod-uid`. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The API server. Every method rejects with a `KubeError` and with nothing else, and none retries by itself, but for
 * one second try after a 401 with credentials read anew. Every call has a deadline.
 */
export interface KubeClient {
  readonly clock: Clock;

  /** The object, or `undefined` if there is no such object. A kind that is not installed is an error with code 404. */
  get<T>(resource: Resource, ref: ObjectRef, options?: ReadOptions): Promise<T | undefined>;
  /** All objects of the selection, read page by page from one snapshot. */
  list<T>(resource: Resource, options?: ListOptions): Promise<ObjectList<T>>;
  create<T>(resource: Resource, object: Sent, options?: CallOptions): Promise<T>;
  /** Server-side apply with force. A `resourceVersion` in the object makes it fail with 409 if the object has moved on. */
  apply<T>(resource: Resource, object: Sent, options: ApplyOptions): Promise<T>;
  /** PUT of a whole object; with a `resourceVersion`, only if nobody changed it since. */
  replace<T>(resource: Resource, object: Sent, options?: CallOptions): Promise<T>;
  /** Deletes the object. False if it was gone already, or if the object of that name has another uid now. */
  remove(resource: Resource, target: RemoveTarget, options?: CallOptions): Promise<boolean>;
  selfSubjectReview(options?: CallOptions): Promise<Self>;

  /** One call; the parsed JSON of the answer. */
  request<T>(request: KubeRequest): Promise<T>;
  /**
   * Opens a stream, such as a watch, once the server has answered 200. The deadline ends with the headers. Aborting
   * `signal` ends the stream with an error; leaving its loop closes it.
   */
  open(request: KubeRequest): Promise<ByteStream>;

  /** Closes all connections at once; running calls fail. */
  close(): Promise<void>;
}
