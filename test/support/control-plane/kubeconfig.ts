import type { ApiAccess } from './api-client.ts';

/** The text of a kubeconfig file for one cluster and one user; JSON, which is YAML. */
export function kubeconfig({ url, ca, client }: ApiAccess): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const user =
    'token' in client
      ? { token: client.token }
      : { 'client-certificate-data': base64(client.certificate), 'client-key-data': base64(client.key) };
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: url, 'certificate-authority-data': base64(ca) } }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
