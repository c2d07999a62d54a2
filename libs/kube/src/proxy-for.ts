import { BlockList, isIP } from 'node:net';

/**
 * The proxy for `server` by the usual environment variables, in upper or lower case: `HTTPS_PROXY` or `HTTP_PROXY` by its
 * scheme, unless `NO_PROXY` names its host: `*`, a domain with or without a leading dot (and its subdomains), `host:port`,
 * an address, or a range of addresses such as `10.0.0.0/8`. Loopback hosts never go through a proxy.
 *
 * @see golang.org/x/net/http/httpproxy, which every other Kubernetes program follows.
 */
export function proxyFor(server: URL, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = (name: string) => env[name] || env[name.toLowerCase()] || undefined;
  const proxy = named(server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (proxy === undefined || isExempt(server, named('NO_PROXY') ?? '')) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function isExempt(server: URL, noProxy: string): boolean {
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  if (host === 'localhost' || matches('127.0.0.0/8', host, port) || matches('::1', host, port)) return true;
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  if (isIP(host)) return isAddressWithin(host, entry, port);
  const [name = '', wantedPort] = entry.split(':');
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const domain = name.replace(/^\*?\./, '');
  return host.endsWith(`.${domain}`) || (host === domain && name === domain);
}

function isAddressWithin(host: string, entry: string, port: string): boolean {
  const [range = '', bits] = entry.split('/');
  const [address, wantedPort] = splitPort(range);
  if (!isIP(address) || (wantedPort !== undefined && wantedPort !== port)) return false;
  const list = new BlockList();
  try {
    if (bits === undefined) list.addAddress(address, family(address));
    else list.addSubnet(address, Number(bits), family(address));
  } catch {
    return false; // A range that is none, such as 10.0.0.0/99, names nobody.
  }
  return list.check(host, family(host));
}

/** `address`, `address:port`, `[address]` or `[address]:port`. */
function splitPort(entry: string): [address: string, port: string | undefined] {
  const [, bracketed, bracketPort] = /^\[(.*)\](?::(\d+))?$/.exec(entry) ?? [];
  if (bracketed !== undefined) return [bracketed, bracketPort];
  if (isIP(entry) === 6) return [entry, undefined];
  const [address = '', port] = entry.split(':');
  return [address, port];
}

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
