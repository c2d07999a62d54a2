/** What is known of the last try to get a token: the SDK keeps it to itself, or loses it. */
export interface TokenTry {
  /** Who was asked, as host or in words. */
  readonly from: string;
  /** On its way, without any answer, or the HTTP status of the answer. */
  readonly state: 'pending' | 'unanswered' | number;
  /** Milliseconds that the endpoint asked to wait. */
  readonly retryAfterMs?: number;
  /** What the answer says, or why there is none; may be empty. */
  readonly text: string;
}

/** The parts of the SDK's pipeline that a policy looks at. */
interface Request {
  readonly url: string;
}
interface Response {
  readonly status: number;
  readonly bodyAsText?: string | null;
  readonly headers: Headers;
}
interface Headers {
  get(name: string): string | undefined;
}

/** Follows one identity on its way to a token. */
export class TokenTrail {
  #last: TokenTry | undefined;

  /** The last try, unless it gave a token. */
  get last(): TokenTry | undefined {
    return this.#last;
  }

  /** Notes that `from` is asked now, and that it answered when `ask` resolves. */
  async follow<T>(from: string, ask: () => Promise<T>): Promise<T> {
    const before = this.#last;
    this.#last = { from, state: 'pending', text: 'no answer' };
    try {
      const token = await ask();
      this.#last = undefined;
      return token;
    } catch (error) {
      // The SDK may remember a refusal and ask nobody: then the last answer still holds.
      if (this.#last?.state === 'pending')
        this.#last = before ?? { from, state: 'unanswered', text: messageOf(error) };
      throw error;
    }
  }

  /** For `additionalPolicies` of a credential: notes what its endpoint answers. */
  get policy() {
    const sendRequest = async <T extends Response>(
      request: Request,
      next: (request: never) => Promise<T>,
    ): Promise<T> => {
      const from = new URL(request.url).host;
      try {
        const response = await next(request as never);
        const { status, bodyAsText, headers } = response;
        this.#last = { from, state: status, text: textOf(bodyAsText), ...retryAfter(headers) };
        return response;
      } catch (error) {
        this.#last = { from, state: 'unanswered', text: messageOf(error) };
        throw error;
      }
    };
    return { policy: { name: 'tokenTrail', sendRequest }, position: 'perRetry' as const };
  }
}

/** What an endpoint says in `Retry-After`: seconds, or a date. */
export function retryAfter(
  headers: Headers | undefined,
  now: number = Date.now(),
): { readonly retryAfterMs?: number } {
  const value = headers?.get('retry-after');
  if (value === undefined || value === '') return {};
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? { retryAfterMs: Math.max(ms, 0) } : {};
}

/** What an OAuth error says, up to the ids that are new each time. */
function textOf(body: string | null | undefined): string {
  const match =
    /"error_description"\s*:\s*"([^"\\]{1,300})/.exec(body ?? '') ??
    /"error"\s*:\s*"([^"\\]{1,100})/.exec(body ?? '');
  return match?.[1]?.split(' Trace ID')[0] ?? '';
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
