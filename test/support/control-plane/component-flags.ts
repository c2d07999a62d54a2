/** The files and ports that one control plane consists of. */
export interface Layout {
  readonly etcdPort: number;
  readonly etcdPeerPort: number;
  readonly apiPort: number;
  /** Where the API server listens; nothing else leaves 127.0.0.1. */
  readonly apiAddress: string;
  /** Of services' addresses; the first is that of the API server itself. */
  readonly serviceRange: string;
  /** The absolute path of a file of this control plane. */
  readonly file: (name: string) => string;
}

/** Flags as `--name=value`. */
type Flags = readonly string[];

/** etcd for tests: data that need not survive the machine, so no waiting for the disk. */
export function etcdFlags({ etcdPort, etcdPeerPort, file }: Layout): Flags {
  const clients = `http://127.0.0.1:${etcdPort}`;
  const peers = `http://127.0.0.1:${etcdPeerPort}`;
  return flags({
    'data-dir': file('etcd'),
    'listen-client-urls': clients,
    'advertise-client-urls': clients,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `default=${peers}`,
    'unsafe-no-fsync': 'true',
    'log-level': 'warn',
  });
}

/** An API server with the authorization and admission of a real cluster. */
export function apiServerFlags({ etcdPort, apiPort, apiAddress, serviceRange, file }: Layout): Flags {
  return flags({
    'etcd-servers': `http://127.0.0.1:${etcdPort}`,
    'bind-address': apiAddress,
    'advertise-address': apiAddress,
    'secure-port': String(apiPort),
    'cert-dir': file('certificates'),
    'tls-cert-file': file('server.crt'),
    'tls-private-key-file': file('server.key'),
    'client-ca-file': file('ca.crt'),
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': file('service-account.key'),
    'service-account-signing-key-file': file('service-account.key'),
    'service-cluster-ip-range': serviceRange,
    // It listens where the `kubernetes` service is, or no pod calls it.
    'endpoint-reconciler-type': 'none',
    'authorization-mode': 'Node,RBAC',
    'enable-admission-plugins': 'NodeRestriction,OwnerReferencesPermissionEnforcement',
    'audit-policy-file': file('audit-policy.json'),
    'audit-log-path': file('audit.log'),
    // In megabytes: never rotated, since the tests read it from the start.
    'audit-log-maxsize': '100000',
    profiling: 'false',
  });
}

/** Only the given controllers: without nodes, some of the others would remove the tests' pods. */
export function controllerManagerFlags({ file }: Layout, controllers: readonly string[]): Flags {
  return flags({
    kubeconfig: file('admin.kubeconfig'),
    controllers: controllers.join(','),
    // Each controller under its own account, as clusters do: else the garbage collector may not touch custom kinds.
    'use-service-account-credentials': 'true',
    'service-account-private-key-file': file('service-account.key'),
    'root-ca-file': file('ca.crt'),
    'leader-elect': 'false',
    'secure-port': '0',
    profiling: 'false',
  });
}

function flags(values: Readonly<Record<string, string>>): Flags {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`);
}
