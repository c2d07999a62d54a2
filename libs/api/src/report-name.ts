import { createHash } from 'node:crypto';
import { dashPack } from './dash-packer.ts';
import type { ExecutorRef } from './executor.ts';

/** The longest object name that Kubernetes takes (a DNS-1123 subdomain). */
export const MAX_NAME_CHARS = 253;
/** How much of a packed name stays readable when it is too long. */
const KEPT_CHARS = 200;

/**
 * The object name of the report of the pod `podName` about `executor`: (pod, executor) or, for a NamespacedExecutor,
 * (pod, namespace, executor), packed. A packed name over 253 characters becomes its first 200 characters, cut back to a
 * letter or digit, a dot, and its SHA-256 in lower-case base32 (52 characters).
 *
 * The name is a key and nothing else: identity is read from `spec`.
 */
export function reportName(podName: string, executor: ExecutorRef): string {
  const packed =
    executor.namespace === undefined
      ? dashPack(podName, executor.name)
      : dashPack(podName, executor.namespace, executor.name);
  if (packed.length <= MAX_NAME_CHARS) return packed;
  const kept = packed.slice(0, KEPT_CHARS).replace(/[^a-z0-9]+$/, '');
  return `${kept}.${base32(createHash('sha256').update(packed).digest())}`;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 base32, lower case, without padding. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET.charAt((value >> (bits - 5)) & 31);
  }
  return bits === 0 ? text : text + ALPHABET.charAt((value << (5 - bits)) & 31);
}
