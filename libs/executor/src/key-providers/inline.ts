import type { BuildContext } from '../build/build-notes.ts';
import { checkFieldNames } from '../build/field-names.ts';
import { decode } from '../faults/decode.ts';
import { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-codes.ts';
import { count } from '../faults/found.ts';
import { goStruct } from '../go/go-struct.ts';
import { goTrim } from '../go/go-trim.ts';
import { goString, type Located } from '../go/go-type.ts';
import { nextPem, type PemBlock, toBytes } from '../pem/pem.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { type PublicKey, parsePkcs1Key, parsePkixKey } from '../x509/public-key.ts';
import type { Provided } from './key-provider.ts';

const OPTIONS_TYPE = goStruct({ certs: goString, keys: goString });

/** Builds the provider `inline`: certificates and public keys as PEM texts in the spec. */
export function buildInline(options: Located<unknown>, { notes }: BuildContext): Provided {
  const { certs, keys } = decode(OPTIONS_TYPE, options, 'KeyProviderOptionsType');
  checkFieldNames(options, OPTIONS_TYPE, notes);
  const blocks = [...readBlocks(certs, CERTS), ...readBlocks(keys, KEYS)];
  if (blocks.some(({ label }) => label.endsWith('PRIVATE KEY'))) notes.warn('PrivateKeyInSpec', options.path);
  const certificates = blocks.flatMap(({ certificate }) => certificate ?? []);
  const publicKeys = blocks.flatMap(({ key }) => key ?? []);
  for (const { raw, notAfter } of certificates)
    notes.loaded({ path: certs.path, source: 'inline', bytes: raw, notAfter });
  for (const { spki } of publicKeys) notes.loaded({ path: keys.path, source: 'inline', bytes: spki });
  return {
    certificates: certificates.map((certificate) => ({
      certificate,
      path: certs.path,
      source: '',
      cause: 'spec',
    })),
    keys: publicKeys.length,
  };
}

/** What differs between the two fields. */
interface Field {
  readonly notPem: FaultCode;
  readonly trailing: FaultCode;
  readonly invalid: FaultCode;
  readonly none: FaultCode;
  /** What a block of a label that counts holds, `undefined` if it does not parse; for other labels `skip`. */
  read(block: PemBlock): Content | 'skip' | undefined;
}

type Content =
  | { readonly certificate: NonNullable<ReturnType<typeof parseCertificate>> }
  | { readonly key: PublicKey };

interface ReadBlock {
  readonly label: string;
  readonly certificate?: NonNullable<ReturnType<typeof parseCertificate>>;
  readonly key?: PublicKey;
}

const CERTS: Field = {
  notPem: 'InlineCertsNotPem',
  trailing: 'InlineCertsTrailingData',
  invalid: 'InlineCertInvalid',
  none: 'InlineCertsNone',
  read: ({ label, bytes }) => {
    if (label !== 'CERTIFICATE') return 'skip';
    const certificate = parseCertificate(bytes);
    return certificate === undefined ? undefined : { certificate };
  },
};

const KEYS: Field = {
  notPem: 'InlineKeysNotPem',
  trailing: 'InlineKeysTrailingData',
  invalid: 'InlineKeyInvalid',
  none: 'InlineKeysNone',
  read: ({ label, bytes }) => {
    if (!KEY_LABELS.has(label)) return 'skip';
    const key = parsePkixKey(bytes) ?? (label === 'RSA PUBLIC KEY' ? parsePkcs1Key(bytes) : undefined);
    return key === undefined ? undefined : { key };
  },
};

const KEY_LABELS: ReadonlySet<string> = new Set(['PUBLIC KEY', 'RSA PUBLIC KEY', 'EC PUBLIC KEY']);

function readBlocks({ path, value }: Located<string>, field: Field): readonly ReadBlock[] {
  if (value === '') return [];
  const read: ReadBlock[] = [];
  let rest = toBytes(goTrim(value));
  while (rest !== '') {
    const { block, rest: behind } = nextPem(rest);
    if (block === undefined) throw noBlock(read, { path, size: rest.length }, field);
    const content = field.read(block);
    if (content === undefined) {
      const found = `block ${read.length + 1} (${block.label}) does not parse`;
      throw new Fault(field.invalid, { path, found });
    }
    read.push({ label: block.label, ...(content === 'skip' ? {} : content) });
    rest = behind;
  }
  if (read.some(({ certificate, key }) => certificate !== undefined || key !== undefined)) return read;
  const labels = [...new Set(read.map(({ label }) => label))].join(', ');
  throw new Fault(field.none, {
    path,
    found: read.length === 0 ? 'a blank text' : `only PEM blocks ${labels}`,
  });
}

function noBlock(read: readonly ReadBlock[], place: { path: string; size: number }, field: Field): Fault {
  const { path, size } = place;
  return read.length === 0
    ? new Fault(field.notPem, {
        path,
        found: `a text of ${count(size, 'byte')} without a complete PEM block`,
      })
    : new Fault(field.trailing, { path, found: `${count(size, 'byte')} behind PEM block ${read.length}` });
}
