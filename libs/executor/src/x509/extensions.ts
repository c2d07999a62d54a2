import { context, DerError, DerReader, explicit, TAG } from './der.ts';
import { readBitString, readBoolean, readInt64, readInteger, readOid } from './der-values.ts';
import { checkAlternativeNames, checkNameConstraints } from './names.ts';

interface Extension {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Buffer;
}

/**
 * Reads the extensions of a certificate, each checked as far as Go checks it.
 *
 * @returns whether basic constraints make it a CA.
 */
export function readExtensions(reader: DerReader): boolean {
  const extensions: Extension[] = [];
  const seen = new Set<string>();
  while (!reader.empty) {
    const extension = readExtension(reader.enter(TAG.sequence));
    if (seen.has(extension.oid)) throw new DerError(`extension ${extension.oid} twice`);
    seen.add(extension.oid);
    extensions.push(extension);
  }
  let isCA = false;
  for (const extension of extensions) {
    if (extension.oid === BASIC_CONSTRAINTS) isCA = readBasicConstraints(new DerReader(extension.value));
    else CHECKS.get(extension.oid)?.(new DerReader(extension.value), extension);
  }
  return isCA;
}

function readExtension(reader: DerReader): Extension {
  const oid = readOid(reader);
  const critical = reader.nextIs(TAG.boolean) ? readBoolean(reader) : false;
  return { oid, critical, value: reader.read(TAG.octetString) };
}

const BASIC_CONSTRAINTS = '2.5.29.19';

function readBasicConstraints(value: DerReader): boolean {
  const reader = value.enter(TAG.sequence);
  const isCA = reader.nextIs(TAG.boolean) ? readBoolean(reader) : false;
  if (reader.nextIs(TAG.integer) && readInteger(reader) < 0n) throw new DerError('negative path length');
  return isCA;
}

type Check = (value: DerReader, extension: Extension) => void;

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['2.5.29.14', subjectKeyId],
  ['2.5.29.15', (value) => void readBitString(value)],
  ['2.5.29.17', (value) => checkAlternativeNames(value)],
  ['2.5.29.30', (value) => checkNameConstraints(value)],
  ['2.5.29.31', distributionPoints],
  ['2.5.29.32', certificatePolicies],
  ['2.5.29.33', policyMappings],
  ['2.5.29.35', authorityKeyId],
  ['2.5.29.36', policyConstraints],
  ['2.5.29.37', (value) => each(value, (reader) => void readOid(reader))],
  ['2.5.29.54', (value) => void readInt64(value)],
  ['1.3.6.1.5.5.7.1.1', authorityInfoAccess],
]);

/** Calls `check` on the reader inside a sequence until that is empty. */
function each(value: DerReader, check: (reader: DerReader) => void): void {
  const reader = value.enter(TAG.sequence);
  while (!reader.empty) check(reader);
}

function refuseCritical({ oid, critical }: Extension): void {
  if (critical) throw new DerError(`extension ${oid} must not be critical`);
}

function subjectKeyId(value: DerReader, extension: Extension): void {
  refuseCritical(extension);
  value.read(TAG.octetString);
}

function authorityKeyId(value: DerReader, extension: Extension): void {
  refuseCritical(extension);
  value.enter(TAG.sequence).optional(context(0));
}

function authorityInfoAccess(value: DerReader, extension: Extension): void {
  refuseCritical(extension);
  each(value, (reader) => {
    const access = reader.enter(TAG.sequence);
    readOid(access);
    access.optional(context(6));
  });
}

function distributionPoints(value: DerReader): void {
  each(value, (reader) => {
    const name = reader.enter(TAG.sequence).optional(explicit(0));
    if (name === undefined) return;
    const fullName = new DerReader(name).enter(explicit(0));
    while (fullName.nextIs(context(6))) fullName.read(context(6));
  });
}

function certificatePolicies(value: DerReader): void {
  const seen = new Set<string>();
  each(value, (reader) => {
    const oid = reader.enter(TAG.sequence).read(TAG.oid);
    const key = oid.toString('hex');
    // Parts of any size are fine here, but each must be minimal and complete.
    const malformed = oid.length === 0 || (oid.at(-1) ?? 0) >= 0x80 || hasPaddedPart(oid);
    if (malformed || seen.has(key)) throw new DerError('malformed or repeated certificate policy');
    seen.add(key);
  });
}

function hasPaddedPart(oid: Buffer): boolean {
  return oid.some((byte, index) => byte === 0x80 && (index === 0 || (oid[index - 1] ?? 0) < 0x80));
}

function policyMappings(value: DerReader): void {
  each(value, (reader) => {
    const mapping = reader.enter(TAG.sequence);
    mapping.read(TAG.oid);
    mapping.read(TAG.oid);
  });
}

function policyConstraints(value: DerReader): void {
  const reader = value.enter(TAG.sequence);
  for (const tag of [context(0), context(1)]) if (reader.nextIs(tag)) readInt64(reader, tag);
}
