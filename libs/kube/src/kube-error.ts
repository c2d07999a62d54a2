import { boundText, redact } from '@executor-status/api';

/** A call to the API server that did not do what it was asked to. Carries neither bodies nor headers nor tokens. */
export class KubeError extends Error {
  override readonly name = 'KubeError';
  /** The HTTP status; `undefined` when no answer came. */
  readonly code: number | undefined;
  /** The server's reason (`Conflict`, `Expired`, …), or ours when no answer came: `Timeout`, `Unreachable`, `Aborted`, `Withheld`. */
  readonly reason: string | undefined;
  /** How long the server asked us to wait, in milliseconds; at most 24,000, whatever it asked for. */
  readonly retryAfterMs: number | undefined;
  /** What was read or written, as `Kind namespace/name`. */
  readonly target: string;
  /**
   * On a 404: whether the kind itself is not installed, or only the object is not there. `undefined` when it was not the API
   * server that said so, but something in between: that says nothing about either.
   */
  readonly missing: 'kind' | 'object' | undefined;
  /** Paths of the fields that the server's schema does not declare, when that is why an apply was refused; it may not name all. */
  readonly undeclaredFields: readonly string[];
  readonly #malformed: boolean;

  constructor(facts: KubeErrorFacts) {
    const { verb, target, code, reason, detail } = facts;
    const said = detail ? `: ${boundText(redact(detail), MAX_DETAIL_BYTES)}` : '';
    const answer =
      code === undefined ? (reason ?? 'no answer') : `HTTP ${[code, reason].filter(Boolean).join(' ')}`;
    super(
      `cannot ${verb} ${target}: ${answer}${said}`,
      'cause' in facts ? { cause: facts.cause } : undefined,
    );
    this.code = code;
    this.reason = reason;
    this.target = target;
    this.retryAfterMs = facts.retryAfterMs && Math.min(facts.retryAfterMs, MAX_ASKED_MS);
    this.missing = facts.missing;
    this.undeclaredFields = undeclaredFields(detail);
    this.#malformed = detail?.includes(MALFORMED_APPLY) === true;
  }

  /** False when the same call would fail again: it is malformed, forbidden, or what it is about is not there. */
  get retryable(): boolean {
    const { code } = this;
    if (this.#malformed) return false;
    if (code === 404) return this.missing === undefined;
    return code === undefined || code >= 500 || RETRYABLE.has(code);
  }
}

/** What is known about a failed call. */
export interface KubeErrorFacts {
  readonly verb: string;
  readonly target: string;
  readonly code?: number | undefined;
  readonly reason?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly missing?: 'kind' | 'object' | undefined;
  /** What the server said, or the network; redacted and shortened before it is shown. */
  readonly detail?: string | undefined;
  readonly cause?: unknown;
}

// An apply that does not fit the schema is refused with 500, although it will never fit: k8s.io/apimachinery,
// pkg/util/managedfields/internal/structuredmerge.go.
const MALFORMED_APPLY = 'failed to create typed patch object';
const MAX_DETAIL_BYTES = 512;
// A server that asks for more is asked again all the same: what has changed must be known, and stored, 30 s after an outage.
const MAX_ASKED_MS = 24_000;

// 401: credentials rotate. 408, 429: asked to come back. 409: read again and decide anew.
const RETRYABLE: ReadonlySet<number> = new Set([401, 408, 409, 429]);

/** @see kubernetes-sigs/structured-merge-diff, typed/helpers.go, `ValidationError`: `<path>: field not declared in schema`. */
function undeclaredFields(detail: string | undefined): readonly string[] {
  const found = detail?.matchAll(/(\.[^\s:,;]{1,200}): field not declared in schema/g) ?? [];
  return [...new Set([...found].flatMap(([, path]) => path ?? []))];
}
