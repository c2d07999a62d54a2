import { quote } from '../faults/found.ts';
import type { ProvidedCertificate } from '../key-providers/key-provider.ts';
import type { BuildContext } from './build-notes.ts';

/** A certificate, where the spec asks for it, and where it came from; the source is empty for what stands in the spec. */
export type DatedCertificate = Pick<ProvidedCertificate, 'certificate' | 'path' | 'source'>;

/** Warns of certificates that are not valid now: Ratify builds with them, whatever their dates. */
export function warnOfDates(certificates: readonly DatedCertificate[], context: BuildContext): void {
  const now = context.environment.now();
  for (const { certificate, path, source } of certificates) {
    const { notAfter, notBefore, subject } = certificate;
    const which = source === '' ? quote(subject) : `${quote(subject)} from ${source}`;
    if (notAfter < now) context.notes.warn('CertificateExpired', path, `${which} ended ${day(notAfter)}`);
    if (notBefore > now)
      context.notes.warn('CertificateNotYetValid', path, `${which} begins ${day(notBefore)}`);
  }
}

const day = (date: Date) => date.toISOString().slice(0, 10);
