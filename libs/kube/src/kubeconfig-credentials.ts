import { readFile } from 'node:fs/promises';
import type { Cluster, User } from '@kubernetes/client-node';
import type { Connection, Credentials } from './credentials.ts';
import { type ExecCredential, ExecPlugin } from './exec-plugin.ts';
import { proxyFor } from './proxy-for.ts';

/** Which kubeconfig {@link kubeconfigCredentials} reads. */
export interface KubeconfigOptions {
  readonly path: string;
  /** The context to use; default: the file's current one. */
  readonly context?: string;
  /** For exec plugins, and for `HTTPS_PROXY` and `NO_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The wall clock in milliseconds; default `Date.now`. */
  readonly wallMs?: () => number;
}

/**
 * The credentials of a kubeconfig file: a token, a client certificate, a password or an exec plugin; with `proxy-url`,
 * `tls-server-name` and `as`. Certificate files that it names are read anew when they change.
 *
 * @throws {Error} if the file cannot be read, has no such context, or logs in by a way that is not supported.
 */
export async function kubeconfigCredentials(options: KubeconfigOptions): Promise<Credentials> {
  const { cluster, user } = await load(options);
  const server = new URL(cluster.server);
  const proxy = cluster.proxyUrl ?? proxyFor(server, options.env);
  const plugin = pluginOf(user, cluster, options);
  const madeOf = new WeakMap<Readonly<Record<string, string>>, ExecCredential>();
  return {
    server,
    connection: async () => connectionOf({ cluster, user, proxy }, await plugin?.get()),
    headers: async () => {
      const credential = await plugin?.get();
      const headers = headersOf(user, credential);
      if (credential !== undefined) madeOf.set(headers, credential);
      return headers;
    },
    renew: (refused) => plugin?.drop(madeOf.get(refused)),
  };
}

async function load({ path, context }: KubeconfigOptions): Promise<{ cluster: Cluster; user: User }> {
  // Loaded only here: it costs 80 MB, and no process in a cluster needs it.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  try {
    config.loadFromFile(path);
  } catch (cause) {
    throw new Error(`cannot read the kubeconfig ${path}`, { cause });
  }
  const name = context ?? config.getCurrentContext();
  config.setCurrentContext(name);
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  if (!cluster || !user) {
    const known = config.getContexts().map((one) => one.name);
    throw new Error(
      `the kubeconfig ${path} has no complete context "${name}"; it has: ${known.join(', ') || 'none'}`,
    );
  }
  if (user.authProvider) {
    throw new Error(
      `the kubeconfig ${path} uses an auth-provider, which Kubernetes dropped: use an exec plugin`,
    );
  }
  return { cluster, user };
}

function pluginOf(user: User, cluster: Cluster, options: KubeconfigOptions): ExecPlugin | undefined {
  if (!user.exec) return undefined;
  const { env, wallMs = Date.now } = options;
  const told = {
    server: cluster.server,
    'certificate-authority-data': cluster.caData,
    'tls-server-name': cluster.tlsServerName,
    'insecure-skip-tls-verify': cluster.skipTLSVerify,
    'proxy-url': cluster.proxyUrl,
  };
  return new ExecPlugin({ config: user.exec, env, cluster: told, wallMs });
}

interface Known {
  readonly cluster: Cluster;
  readonly user: User;
  readonly proxy: string | undefined;
}

async function connectionOf({ cluster, user, proxy }: Known, exec?: ExecCredential): Promise<Connection> {
  return present({
    ca: await pem(cluster.caData, cluster.caFile),
    cert: exec?.clientCertificateData ?? (await pem(user.certData, user.certFile)),
    key: exec?.clientKeyData ?? (await pem(user.keyData, user.keyFile)),
    serverName: cluster.tlsServerName,
    insecure: cluster.skipTLSVerify || undefined,
    proxy,
  });
}

/** Without the members that are not there. */
function present(
  connection: { readonly [Name in keyof Connection]: Connection[Name] | undefined },
): Connection {
  return Object.fromEntries(Object.entries(connection).filter(([, value]) => value !== undefined));
}

async function pem(base64: string | undefined, file: string | undefined): Promise<string | undefined> {
  if (base64) return Buffer.from(base64, 'base64').toString('utf8');
  return file ? readFile(file, 'utf8') : undefined;
}

function headersOf(user: User, exec?: ExecCredential): Readonly<Record<string, string>> {
  const token = exec?.token ?? user.token?.trim();
  const { username, password, impersonateUser } = user;
  const basic = username ? Buffer.from(`${username}:${password ?? ''}`).toString('base64') : undefined;
  return {
    ...(token ? { authorization: `Bearer ${token}` } : basic && { authorization: `Basic ${basic}` }),
    ...(impersonateUser && { 'impersonate-user': impersonateUser }),
  };
}
