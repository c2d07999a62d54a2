import type { ApiAccess } from '../support/control-plane/api-client.ts';

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: Readonly<Record<string, string>> }];
  readonly users: readonly [{ readonly user: Readonly<Record<string, string>> }];
}

/** How to reach the API server, from the text of a kubeconfig that the test control plane wrote: one cluster, one user, JSON. */
export function readAccess(text: string): ApiAccess {
  const { clusters, users } = JSON.parse(text) as Kubeconfig;
  const [{ cluster }] = clusters;
  const [{ user }] = users;
  const decoded = (base64 = '') => Buffer.from(base64, 'base64').toString('utf8');
  return {
    url: cluster['server'] ?? '',
    ca: decoded(cluster['certificate-authority-data']),
    client: {
      certificate: decoded(user['client-certificate-data']),
      key: decoded(user['client-key-data']),
    },
  };
}
