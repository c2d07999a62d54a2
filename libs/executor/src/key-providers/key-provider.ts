import type { FaultCause } from '../faults/fault-text.ts';
import type { Certificate } from '../x509/certificate.ts';

/** A certificate that a key provider gave, with where it came from. */
export interface ProvidedCertificate {
  readonly certificate: Certificate;
  /** The place in the spec that asked for it. */
  readonly path: string;
  /** In words, for messages: `file /certs/ca.pem`. Empty when the path says it all. */
  readonly source: string;
  /** What stands behind it when it cannot be used. */
  readonly cause: FaultCause;
}

/** What a key provider gives once it is created. */
export interface Provided {
  readonly certificates: readonly ProvidedCertificate[];
  /** How many public keys it has. */
  readonly keys: number;
  /** Certificates were asked for, but a setting kept us from fetching them. */
  readonly unasked?: boolean;
  /** A key vault that was asked for keys only: notation fails with it always. */
  readonly keysOnly?: boolean;
}
