import { newAuthority } from '../control-plane/certificates.ts';

/** A certificate for 127.0.0.1 by a new authority; all PEM. */
export function newServerCertificate(): { readonly ca: string; readonly cert: string; readonly key: string } {
  const authority = newAuthority(new Date());
  const { certificate, key } = authority.issue({
    commonName: 'fault-proxy',
    dnsNames: ['localhost'],
    addresses: ['127.0.0.1'],
  });
  return { ca: authority.certificate, cert: certificate, key };
}
