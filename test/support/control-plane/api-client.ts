import { Agent, type Dispatcher, request } from 'undici';

/** An object as the API server gives it; tests know the kind and look inside. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly Readonly<Record<string, unknown>>[];
    readonly managedFields?: readonly Readonly<Record<string, unknown>>[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** The parts of a request beyond method, path and body. */
export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** By default merge patch for PATCH, otherwise JSON. */
  readonly contentType?: string;
}

/** What came back, whatever the HTTP status. */
export interface ApiAnswer<T> {
  readonly code: number;
  /** Parsed if it is JSON, else the text. */
  readonly body: T;
}

export const APPLY_PATCH = 'application/apply-patch+yaml';
export const MERGE_PATCH = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';

/** How to reach an API server, and as whom. */
export interface ApiAccess {
  readonly url: string;
  /** The authority's certificate, PEM. */
  readonly ca: string;
  /** Exactly one of a client certificate and a token. */
  readonly client: { readonly certificate: string; readonly key: string } | { readonly token: string };
}

/** An API server may be busy with its start; a test that waits longer has a problem worth seeing. */
const ANSWER_MS = 20_000;

/**
 * A client of an API server, small and apart from the product's own, so that a fault there cannot hide
 * itself from the tests. Keeps its connections; close it in the end.
 */
export class ApiClient {
  readonly #access: ApiAccess;
  readonly #agent: Agent;

  constructor(access: ApiAccess) {
    const { ca, client } = access;
    const identity = 'token' in client ? {} : { cert: client.certificate, key: client.key };
    this.#access = access;
    this.#agent = new Agent({
      connect: { ca, ...identity },
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
    });
  }

  /**
   * Sends one request.
   *
   * @param target - method and path, `GET /api/v1/namespaces/default`.
   * @param body - sent as JSON.
   * @throws {Error} if no answer came; an answer with an error status is an answer.
   */
  async request<T = ApiObject>(
    target: string,
    body?: unknown,
    { query = {}, contentType }: RequestOptions = {},
  ): Promise<ApiAnswer<T>> {
    const [method = '', path = ''] = target.split(' ');
    const { url, client } = this.#access;
    const headers = new Headers({ accept: 'application/json' });
    if (body !== undefined) headers.set('content-type', contentType ?? defaultType(method));
    if ('token' in client) headers.set('authorization', `Bearer ${client.token}`);
    const to = new URL(path, url);
    for (const [name, value] of Object.entries(query)) to.searchParams.set(name, String(value));
    const answer = await request(to, {
      dispatcher: this.#agent,
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    }).catch((error: unknown) => {
      throw new Error(`${target}: no answer: ${String(error)}`, { cause: error });
    });
    return { code: answer.statusCode, body: (await bodyOf(answer)) as T };
  }

  /**
   * Sends one request that must succeed.
   *
   * @returns the body of the answer.
   * @throws {ApiError} if the HTTP status is 400 or more.
   */
  async call<T = ApiObject>(target: string, body?: unknown, options?: RequestOptions): Promise<T> {
    const answer = await this.request<T>(target, body, options);
    if (answer.code >= 400) throw new ApiError(target, answer);
    return answer.body;
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

async function bodyOf({ headers, body }: Dispatcher.ResponseData): Promise<unknown> {
  const text = await body.text();
  return String(headers['content-type']).startsWith('application/json') ? JSON.parse(text) : text;
}

const defaultType = (method: string) => (method === 'PATCH' ? MERGE_PATCH : 'application/json');

/** An answer that says no. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;

  constructor(target: string, { code, body }: ApiAnswer<unknown>) {
    const said = (body as { message?: unknown } | undefined)?.message ?? body;
    super(`${target}: HTTP ${code}: ${String(said)}`);
    this.code = code;
  }
}
