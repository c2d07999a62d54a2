import type { BuildContext } from '../build/build-notes.ts';
import type { Walk } from '../environment.ts';
import { decode } from '../faults/decode.ts';
import { Fault } from '../faults/fault.ts';
import { found, quotePath } from '../faults/found.ts';
import { goList, goString, type Located } from '../go/go-type.ts';
import { nextPem } from '../pem/pem.ts';
import { type Certificate, parseCertificate, parseCertificates } from '../x509/certificate.ts';
import type { Provided, ProvidedCertificate } from './key-provider.ts';

const OPTIONS_TYPE = goList(goString);

/** Builds the provider `files`: certificates in files and folders of the pod. It has no keys. */
export async function buildFiles(options: Located<unknown>, context: BuildContext): Promise<Provided> {
  const paths = decode(OPTIONS_TYPE, options, 'KeyProviderOptionsType');
  if (paths.length === 0)
    throw new Fault('FilesPathsMissing', { path: options.path, found: found(options.value) });
  const certificates: ProvidedCertificate[] = [];
  for (const path of paths) certificates.push(...(await loadPath(path, context)));
  return { certificates, keys: 0 };
}

async function loadPath(
  place: Located<string>,
  context: BuildContext,
): Promise<readonly ProvidedCertificate[]> {
  const { environment, notes } = context;
  notes.waiting = { path: place.path, what: `the files below ${quotePath(place.value)}` };
  const walk = await environment.walk(place.value);
  for (const file of walk.watched) notes.watched(file);
  const certificates: ProvidedCertificate[] = [];
  for (const { path, realPath } of walk.files) {
    const bytes = await readFile(place, { path, realPath }, context);
    for (const certificate of parseFile(place, path, bytes)) {
      notes.loaded({
        path: place.path,
        source: path,
        bytes: certificate.raw,
        notAfter: certificate.notAfter,
      });
      certificates.push({ certificate, path: place.path, source: `file ${path}`, cause: 'filesystem' });
    }
  }
  warnOfNothing(place, walk, context);
  if (walk.files.length > 0 && certificates.length === 0)
    notes.warn('FilesPathEmpty', place.path, quotePath(place.value));
  return certificates;
}

function warnOfNothing({ path, value }: Located<string>, { skipped }: Walk, { notes }: BuildContext): void {
  switch (skipped) {
    case 'missing':
      return notes.warn('FilesPathMissing', path, `${quotePath(value)} does not exist`);
    case 'unreadable':
      return notes.warn('FilesPathMissing', path, `${quotePath(value)} cannot be read`);
    case 'link to a folder':
      return notes.warn('FilesPathLinkToFolder', path, quotePath(value));
    case 'no files':
      return notes.warn('FilesPathEmpty', path, quotePath(value));
    case undefined:
  }
}

async function readFile(
  place: Located<string>,
  file: { path: string; realPath: string },
  { environment }: BuildContext,
): Promise<Buffer> {
  try {
    return Buffer.from(await environment.readFile(file.realPath));
  } catch (error) {
    const found = `${quotePath(file.path)} cannot be read`;
    throw new Fault('FileCertificateInvalid', { path: place.path, found }, { cause: error });
  }
}

/** With any PEM block it is PEM, and every block must be a certificate whatever its label; else it is DER. */
function parseFile(place: Located<string>, file: string, bytes: Buffer): readonly Certificate[] {
  const certificates: Certificate[] = [];
  const text = bytes.toString('latin1');
  let next = nextPem(text);
  if (next.block === undefined) {
    const der = parseCertificates(bytes);
    if (der === undefined) throw invalid(place, `${quotePath(file)} is neither PEM nor DER of certificates`);
    return der;
  }
  while (next.block !== undefined) {
    const certificate = parseCertificate(next.block.bytes);
    if (certificate === undefined) {
      throw invalid(
        place,
        `PEM block ${certificates.length + 1} (${next.block.label}) of ${quotePath(file)} is no certificate`,
      );
    }
    certificates.push(certificate);
    next = nextPem(next.rest);
  }
  return certificates;
}

function invalid({ path }: Located<string>, found: string): Fault {
  return new Fault('FileCertificateInvalid', { path, found });
}
