import { isIP } from 'node:net';
import { parseGoUrl } from '../go/go-url.ts';
import { context, DerError, DerReader, explicit, TAG } from './der.ts';
import { isIa5 } from './distinguished-text.ts';
import { isMailbox } from './mailbox.ts';

/** Checks subject alternative names: ASCII texts, parsable URIs, addresses of 4 or 16 bytes. Throws {@link DerError}. */
export function checkAlternativeNames(value: DerReader): void {
  const names = value.enter(TAG.sequence);
  while (!names.empty) {
    const { tag, content } = names.any();
    if (!isGoodName(tag, content)) throw new DerError('malformed alternative name');
  }
}

function isGoodName(tag: number, content: Buffer): boolean {
  switch (tag) {
    case context(1):
    case context(2):
      return isIa5(content);
    case context(6):
      return isIa5(content) && isGoodUri(content.toString('latin1'));
    case context(7):
      return content.length === 4 || content.length === 16;
    default:
      return true;
  }
}

function isGoodUri(text: string): boolean {
  const url = parseGoUrl(text);
  return url !== undefined && (url.host === '' || isDomain(url.host));
}

/** Checks name constraints. Throws {@link DerError}. */
export function checkNameConstraints(value: DerReader): void {
  const reader = value.enter(TAG.sequence);
  const subtrees = [reader.optional(explicit(0)), reader.optional(explicit(1))];
  const nothing = subtrees.every((trees) => trees === undefined || trees.length === 0);
  if (!value.empty || !reader.empty || nothing) throw new DerError('malformed name constraints');
  for (const trees of subtrees) checkSubtrees(new DerReader(trees ?? Buffer.alloc(0)));
}

function checkSubtrees(trees: DerReader): void {
  while (!trees.empty) {
    const { tag, content } = trees.enter(TAG.sequence).any();
    if (!isGoodConstraint(tag, content)) throw new DerError('malformed name constraint');
  }
}

function isGoodConstraint(tag: number, content: Buffer): boolean {
  const text = content.toString('latin1');
  switch (tag) {
    case context(1):
      return isIa5(content) && (text.includes('@') ? isMailbox(text) : isDomainConstraint(text));
    case context(2):
      return isIa5(content) && isDomainConstraint(text);
    case context(6):
      return isIa5(content) && isIP(text) === 0 && isDomainConstraint(text);
    case context(7):
      return isAddressRange(content);
    default:
      return true;
  }
}

const isDomainConstraint = (text: string) => isDomain(text.startsWith('.') ? text.slice(1) : text, text);

/** Go's loose idea of a domain: printable ASCII in labels that are not empty, no dot at the end; no text at all passes. */
function isDomain(text: string, written: string = text): boolean {
  if (written === '') return true;
  return text.split('.').every((label) => /^[!-~]+$/.test(label));
}

/** An address and a mask of one bits followed by zero bits. */
function isAddressRange(content: Buffer): boolean {
  if (content.length !== 8 && content.length !== 32) return false;
  const mask = BigInt(`0x${content.toString('hex', content.length / 2)}`);
  const ones = BigInt.asUintN(content.length * 4, ~mask);
  return (ones & (ones + 1n)) === 0n;
}
