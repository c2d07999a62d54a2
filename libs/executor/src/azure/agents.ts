import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** How requests leave the pod. */
export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** The proxies and the authorities that an environment names, in the form that Node.js takes them. */
export interface Network {
  readonly proxyEnv: Readonly<Record<string, string | undefined>>;
  /** In place of the built-in authorities, when there. */
  readonly ca?: Buffer;
}

/**
 * What Ratify's environment says of the network: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` in either case, and
 * `SSL_CERT_FILE` in place of the built-in authorities.
 *
 * @throws when `SSL_CERT_FILE` names a file that cannot be read.
 */
export function podNetwork(variables: Readonly<Record<string, string | undefined>>): Network {
  const proxyEnv = Object.fromEntries(PROXY_VARIABLES.map((name) => [name, variables[name]]));
  const file = variables['SSL_CERT_FILE'];
  return { proxyEnv, ...(file === undefined || file === '' ? {} : { ca: readFileSync(file) }) };
}

/** Agents that go the way of {@link podNetwork}. Throws as that does. */
export function podAgents(variables: Readonly<Record<string, string | undefined>>): Agents {
  const { proxyEnv, ...ca } = podNetwork(variables);
  return {
    http: new HttpAgent({ keepAlive: true, proxyEnv }),
    https: new HttpsAgent({ keepAlive: true, proxyEnv, ...ca }),
  };
}

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'NO_PROXY', 'no_proxy'];
