import type { Material } from '@executor-status/api';
import { byText, type JudgedPod } from './judge-pods.ts';

/** The certificate or key that ends first. */
export interface Expiry {
  readonly path: string;
  readonly source: string;
  /** RFC 3339, as reported. */
  readonly notAfter: string;
  /** It has ended already. */
  readonly past: boolean;
}

/** What ends soon, and when that will next be another answer. */
export interface Expiring {
  /** The material that ends first, if that is past or within the notice. */
  readonly expiry?: Expiry;
  /** Milliseconds until material enters the notice, or ends. */
  readonly changesInMs?: number;
}

/**
 * The material that ends first of all that pods report; what a pod that is behind has loaded is in use until it builds again.
 * Never a verdict: Ratify builds with expired certificates.
 *
 * @param now - the wall clock, since dates of certificates are nothing else.
 */
export function findExpiring(pods: readonly JudgedPod[], noticeMs: number, now: Date): Expiring {
  const listed = pods.flatMap((pod) => pod.report?.material ?? []);
  const [nowMs, ends] = [now.getTime(), endsOf(listed)];
  const firstMs = least(ends.values());
  const nextMs = least(
    [...ends.values()].flatMap((endMs) => [endMs - noticeMs, endMs].filter((atMs) => atMs > nowMs)),
  );
  const first =
    firstMs - noticeMs <= nowMs
      ? firstBy(listed.filter((one) => ends.get(one.notAfter) === firstMs))
      : undefined;
  return {
    ...(first && { expiry: expiryOf(first, firstMs <= nowMs) }),
    ...(Number.isFinite(nextMs) && { changesInMs: nextMs - nowMs }),
  };
}

/** When material ends, by what it says of that; of thousands of pods, most say the same. */
function endsOf(listed: readonly Material[]): ReadonlyMap<string | undefined, number> {
  const said = [...new Set(listed.map(({ notAfter }) => notAfter))];
  return new Map(
    said
      .map((notAfter) => [notAfter, Date.parse(notAfter ?? '')] as const)
      .filter(([, endMs]) => !Number.isNaN(endMs)),
  );
}

function firstBy(listed: readonly Material[]): Material | undefined {
  return listed.toSorted((a, b) => byText(a.path, b.path) || byText(a.source, b.source))[0];
}

const least = (values: Iterable<number>) =>
  [...values].reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);

/** Names what ends and when. */
export function expiringText({ path, source, notAfter, past }: Expiry): string {
  return `${past ? 'a certificate ended' : 'a certificate ends'} at ${notAfter}: ${source} (${path}); Ratify builds with it all the same`;
}

function expiryOf({ path, source, notAfter = '' }: Material, past: boolean): Expiry {
  return { path, source, notAfter, past };
}
