/** One request that the API server answered. */
export interface AuditEntry {
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`; for other URLs the HTTP method in lower case. */
  readonly verb: string;
  readonly user: string;
  /** With the pod's name and uid, if the token was bound to one. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
  readonly apiGroup: string;
  readonly resource: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The HTTP status of the answer. */
  readonly code: number;
  readonly uri: string;
  readonly userAgent: string;
  /** What was sent, for writes (leases and secrets aside). */
  readonly body: unknown;
}

/** Which entries are meant: every given field must be equal, or be one of a list. */
export type AuditFilter = {
  readonly [Field in 'verb' | 'user' | 'apiGroup' | 'resource' | 'subresource' | 'namespace' | 'name']?:
    | string
    | readonly string[];
} & {
  readonly code?: number | readonly number[];
  /** Only what came after that {@link AuditMark}. */
  readonly since?: AuditMark;
};

/** A position in the audit log. */
export type AuditMark = number & { readonly mark: 'audit' };

interface RawEvent {
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly user: { readonly username: string; readonly extra?: Record<string, string[]> };
  readonly objectRef?: Partial<typeof NO_OBJECT>;
  readonly responseStatus?: { readonly code?: number };
  readonly requestObject?: unknown;
  readonly requestReceivedTimestamp: string;
}

/** The name of the pod to which the token of the request was bound; `''` for none. */
export function podNameOf({ extra }: Pick<AuditEntry, 'extra'>): string {
  return extra['authentication.kubernetes.io/pod-name']?.[0] ?? '';
}

/** The uid of that pod; `''` for none. */
export function podUidOf({ extra }: Pick<AuditEntry, 'extra'>): string {
  return extra['authentication.kubernetes.io/pod-uid']?.[0] ?? '';
}

/** Whether an entry passes a filter, its `since` aside. */
export function matches(entry: AuditEntry, filter: AuditFilter): boolean {
  const { since: _, ...fields } = filter;
  return Object.entries(fields).every(([field, want]) => {
    const value = entry[field as keyof AuditEntry];
    return want === undefined || (Array.isArray(want) ? want.includes(value) : want === value);
  });
}

/**
 * Reads one line of the log.
 *
 * @returns `undefined` for the second of the two lines that a watch writes: one when it begins to answer,
 *   one when it ends.
 */
export function parseAuditLine(line: string): AuditEntry | undefined {
  const raw = JSON.parse(line) as RawEvent;
  const code = raw.responseStatus?.code ?? 0;
  const wanted = raw.verb === 'watch' && code === 200 ? 'ResponseStarted' : 'ResponseComplete';
  if (raw.stage !== wanted) return undefined;
  return {
    ...NO_OBJECT,
    ...raw.objectRef,
    at: Date.parse(raw.requestReceivedTimestamp),
    verb: raw.verb,
    user: raw.user.username,
    extra: raw.user.extra ?? {},
    code,
    uri: raw.requestURI,
    userAgent: raw.userAgent ?? '',
    body: raw.requestObject,
  };
}

/** The log leaves empty fields out. */
const NO_OBJECT = { apiGroup: '', resource: '', subresource: '', namespace: '', name: '' };
