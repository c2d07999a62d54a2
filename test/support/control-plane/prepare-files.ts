import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import type { ApiAccess } from './api-client.ts';
import { AUDIT_POLICY } from './audit-policy.ts';
import { newAuthority, newKeyPem } from './certificates.ts';
import type { Layout } from './component-flags.ts';
import { kubeconfig } from './kubeconfig.ts';

/** Ports, files and the administrator's access of a control plane that is about to start. */
export interface Prepared {
  readonly layout: Layout;
  readonly admin: ApiAccess;
}

/**
 * Where the API server listens when pods that run shall reach it: the first address of the services' range, which the
 * machine must have, and the port of the `kubernetes` service. That needs no kube-proxy.
 */
export interface Reach {
  readonly address: string;
  readonly serviceRange: string;
}

/** The port of the `kubernetes` service. */
const SERVICE_PORT = 443;

/** Chooses ports and writes certificates, keys, audit policy and the administrator's kubeconfig. */
export async function prepareFiles(directory: string, now: Date, reach?: Reach): Promise<Prepared> {
  const [etcdPort, etcdPeerPort] = [await freePort(), await freePort()];
  const apiPort = reach === undefined ? await freePort() : SERVICE_PORT;
  const { address: apiAddress, serviceRange } = reach ?? {
    address: '127.0.0.1',
    serviceRange: '10.0.0.0/24',
  };
  const file = (name: string) => join(directory, name);
  const authority = newAuthority(now);
  const server = authority.issue({
    commonName: 'kube-apiserver',
    dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
    addresses: [...new Set(['127.0.0.1', '10.0.0.1', apiAddress])],
  });
  const client = authority.issue({ commonName: 'admin', organizations: ['system:masters'] });
  const admin = { url: `https://${apiAddress}:${apiPort}`, ca: authority.certificate, client };

  await mkdir(file('certificates'));
  const write = (name: string, content: string) => writeFile(file(name), content, { mode: 0o600 });
  await Promise.all([
    write('ca.crt', authority.certificate),
    write('server.crt', server.certificate),
    write('server.key', server.key),
    write('service-account.key', newKeyPem()),
    write('audit-policy.json', JSON.stringify(AUDIT_POLICY)),
    write('admin.kubeconfig', kubeconfig(admin)),
  ]);
  return { layout: { etcdPort, etcdPeerPort, apiPort, apiAddress, serviceRange, file }, admin };
}
