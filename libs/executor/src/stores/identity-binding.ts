import type { Environment } from '../environment.ts';
import { Fault } from '../faults/fault.ts';
import { quote } from '../faults/found.ts';
import { goTrim } from '../go/go-trim.ts';
import { parseGoUrl } from '../go/go-url.ts';

const SNI_NAMES = ['AZURE_ACR_IDENTITY_BINDING_SNI_NAME', 'AZURE_KUBERNETES_SNI_NAME'] as const;
const API_SERVER = 'AZURE_ACR_IDENTITY_BINDING_APISERVER_HOST';
const TOKEN_PROXY = 'AZURE_KUBERNETES_TOKEN_PROXY';

/** Throws unless the process environment says how identity binding reaches its token endpoint. */
export function requireIdentityBinding(path: string, { variables }: Environment): void {
  const read = (name: string) => goTrim(variables[name] ?? '');
  const sniName = SNI_NAMES.find((name) => read(name) !== '');
  if (sniName === undefined) {
    const found = `identity binding is on, and the environment names neither ${SNI_NAMES.join(' nor ')}`;
    throw new Fault('IdentityBindingNotConfigured', { path, found });
  }
  const why =
    read(sniName).startsWith('https://') || read(sniName).startsWith('http://')
      ? `${sniName} begins with a scheme`
      : whyNoApiServer(read(API_SERVER), read(TOKEN_PROXY));
  if (why !== undefined) throw new Fault('IdentityBindingConfigInvalid', { path, found: why });
}

function whyNoApiServer(host: string, proxy: string): string | undefined {
  if (host !== '') return undefined;
  if (proxy === '') return `neither ${API_SERVER} nor ${TOKEN_PROXY} is set`;
  const url = parseGoUrl(proxy);
  if (url === undefined || url.host === '') return `${TOKEN_PROXY} is no address with a host`;
  if ((url.path !== '' && url.path !== '/') || url.query !== '' || url.fragment !== '') {
    return `${TOKEN_PROXY} has more than a host: ${quote(url.host)} with a path, query or fragment`;
  }
  return undefined;
}
