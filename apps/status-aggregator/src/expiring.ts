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
  const dated = pods.flatMap((pod) => pod.report?.material ?? []).flatMap((material) => withEnd(material));
  const first = dated.toSorted(
    (a, b) => a.endMs - b.endMs || byText(a.path, b.path) || byText(a.source, b.source),
  )[0];
  const nextMs = dated
    .flatMap(({ endMs }) => [endMs - noticeMs, endMs])
    .filter((atMs) => atMs > now.getTime())
    .reduce((soonest, atMs) => Math.min(soonest, atMs), Number.POSITIVE_INFINITY);
  const due = first !== undefined && first.endMs - noticeMs <= now.getTime();
  return {
    ...(due && { expiry: expiryOf(first, now) }),
    ...(Number.isFinite(nextMs) && { changesInMs: nextMs - now.getTime() }),
  };
}

/** Names what ends and when. */
export function expiringText({ path, source, notAfter, past }: Expiry): string {
  return `${past ? 'a certificate ended' : 'a certificate ends'} at ${notAfter}: ${source} (${path}); Ratify builds with it all the same`;
}

interface Dated extends Material {
  readonly notAfter: string;
  readonly endMs: number;
}

function withEnd(material: Material): Dated[] {
  const endMs = Date.parse(material.notAfter ?? '');
  return material.notAfter && !Number.isNaN(endMs)
    ? [{ ...material, notAfter: material.notAfter, endMs }]
    : [];
}

function expiryOf({ path, source, notAfter, endMs }: Dated, now: Date): Expiry {
  return { path, source, notAfter, past: endMs <= now.getTime() };
}
