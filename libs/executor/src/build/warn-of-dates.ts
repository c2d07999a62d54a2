import { quote } from '../faults/found.ts';
import type { ProvidedCertificate } from '../key-providers/key-provider.ts';
import type { BuildContext } from './build-notes.ts';

/** Warns of certificates that are not valid now: Ratify builds with them, whatever their dates. */
export function warnOfDates(certificates: readonly ProvidedCertificate[], context: BuildContext): void {
  const now = context.environment.now();
  for (const { certificate, path } of certificates) {
    const { notAfter, notBefore, subject } = certificate;
    if (notAfter < now)
      context.notes.warn('CertificateExpired', path, `${quote(subject)} ended ${day(notAfter)}`);
    if (notBefore > now)
      context.notes.warn('CertificateNotYetValid', path, `${quote(subject)} begins ${day(notBefore)}`);
  }
}

const day = (date: Date) => date.toISOString().slice(0, 10);
