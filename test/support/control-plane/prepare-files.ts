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

/** Chooses ports and writes certificates, keys, audit policy and the administrator's kubeconfig. */
export async function prepareFiles(directory: string, now: Date): Promise<Prepared> {
  const [etcdPort, etcdPeerPort, apiPort] = [await freePort(), await freePort(), await freePort()];
  const file = (name: string) => join(directory, name);
  const authority = newAuthority(now);
  const server = authority.issue({
    commonName: 'kube-apiserver',
    dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
    addresses: ['127.0.0.1', '10.0.0.1'],
  });
  const client = authority.issue({ commonName: 'admin', organizations: ['system:masters'] });
  const admin = { url: `https://127.0.0.1:${apiPort}`, ca: authority.certificate, client };

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
  return { layout: { etcdPort, etcdPeerPort, apiPort, file }, admin };
}
