import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { newAuthority } from '../../../test/support/control-plane/certificates.ts';
import { ApiStub } from '../test/api-stub.ts';
import { listen, portOf } from '../test/tcp-front.ts';
import { kubeconfigCredentials } from './kubeconfig-credentials.ts';
import { POD } from './resource.ts';

describe('kubeconfigCredentials', function () {
  this.timeout(20_000);
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const base64 = (text: string) => Buffer.from(text).toString('base64');

  const users: Record<string, { user: object; want: Record<string, string> }> = {
    'a token': { user: { token: 't' }, want: { authorization: 'Bearer t' } },
    'a password': {
      user: { username: 'u', password: 'p' },
      want: { authorization: `Basic ${base64('u:p')}` },
    },
    'another user, in whose name it acts': {
      user: { token: 't', as: 'somebody' },
      want: { authorization: 'Bearer t', 'impersonate-user': 'somebody' },
    },
    'an exec plugin': {
      user: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: process.execPath,
          args: ['-e', 'console.log(JSON.stringify({status: {token: "from a plugin"}}))'],
        },
      },
      want: { authorization: 'Bearer from a plugin' },
    },
    'nothing but its certificate': { user: {}, want: {} },
  };
  for (const [name, { user, want }] of Object.entries(users)) {
    it(`logs in by ${name}`, async () => {
      expect(await (await load({ user })).headers()).to.deep.equal(want);
    });
  }

  it('connects with what the file says, inline or in files beside it, read anew each time', async () => {
    const inline = await load({
      cluster: {
        'certificate-authority-data': base64('ca'),
        'tls-server-name': 'api.test',
        'proxy-url': 'http://p:1',
      },
      user: { 'client-certificate-data': base64('cert'), 'client-key-data': base64('key') },
    });
    expect(await inline.connection()).to.deep.equal({
      ca: 'ca',
      cert: 'cert',
      key: 'key',
      serverName: 'api.test',
      proxy: 'http://p:1',
    });
    await writeFile(join(directory, 'ca.crt'), 'ca 1');
    const files = await load({ cluster: { 'certificate-authority': 'ca.crt' } });
    expect(await files.connection()).to.deep.equal({ ca: 'ca 1' });
    await writeFile(join(directory, 'ca.crt'), 'ca 2');
    expect(await files.connection()).to.deep.equal({ ca: 'ca 2' });
  });

  it('asks a plugin once more for many requests that were refused together (RP-9)', async () => {
    const script = `
      const { appendFileSync, readFileSync } = require('node:fs');
      appendFileSync(${JSON.stringify(join(directory, 'runs'))}, 'x');
      const token = 't' + readFileSync(${JSON.stringify(join(directory, 'runs'))}).length;
      console.log(JSON.stringify({ status: { token } }));`;
    const credentials = await load({ user: { exec: { command: process.execPath, args: ['-e', script] } } });
    const sent = await Promise.all(Array.from({ length: 8 }, () => credentials.headers()));
    const again: Readonly<Record<string, string>>[] = [];
    for (const refused of sent) {
      credentials.renew(refused);
      again.push(await credentials.headers());
    }
    expect(again.map(({ authorization }) => authorization)).to.deep.equal(Array(8).fill('Bearer t2'));
  });

  it('takes any certificate only when told to', async () => {
    expect(await (await load({ cluster: { 'insecure-skip-tls-verify': true } })).connection()).to.deep.equal({
      insecure: true,
    });
  });

  it('takes another context than the current one', async () => {
    await load({});
    const path = join(directory, 'config');
    expect((await kubeconfigCredentials({ path, context: 'other', env: {} })).server.href).to.equal(
      'https://other.test/',
    );
  });

  it('says which contexts there are', async () => {
    await load({});
    const path = join(directory, 'config');
    const failure = await kubeconfigCredentials({ path, context: 'nowhere', env: {} }).catch(String);
    expect(failure).to.contain('has no complete context "nowhere"; it has: main, other');
  });

  it('says which file it cannot read', async () => {
    const failure = await kubeconfigCredentials({ path: '/nowhere/config', env: {} }).catch(String);
    expect(failure).to.contain('cannot read the kubeconfig /nowhere/config');
  });

  it('refuses a way to log in that nobody has any more', async () => {
    expect(await load({ user: { 'auth-provider': { name: 'gcp' } } }).catch(String)).to.contain(
      'use an exec plugin',
    );
  });

  describe('on the wire', () => {
    it('proves itself with a client certificate', async () => {
      const authority = newAuthority(new Date());
      await using stub = await ApiStub.start({ authority, clientCertificates: true });
      const own = authority.issue({ commonName: 'me' });
      const credentials = await load({
        cluster: { server: stub.url.href, 'certificate-authority-data': base64(authority.certificate) },
        user: { 'client-certificate-data': base64(own.certificate), 'client-key-data': base64(own.key) },
      });
      await stub.client({ credentials }).get(POD, { namespace: 'a', name: 'p' });
      expect(stub.calls).to.have.length(1);
      const stranger = await load({
        cluster: { server: stub.url.href, 'certificate-authority-data': base64(authority.certificate) },
      });
      const failure = await stub
        .client({ credentials: stranger })
        .get(POD, { namespace: 'a', name: 'p' })
        .catch(String);
      expect(failure).to.contain('Unreachable');
    });

    it('expects the name that the file says', async () => {
      await using stub = await ApiStub.start();
      const cluster = {
        server: stub.url.href,
        'certificate-authority-data': base64(stub.authority.certificate),
      };
      const right = await load({ cluster: { ...cluster, 'tls-server-name': 'api.test' } });
      await stub.client({ credentials: right }).get(POD, { namespace: 'a', name: 'p' });
      const wrong = await load({ cluster: { ...cluster, 'tls-server-name': 'elsewhere.test' } });
      const failure = await stub
        .client({ credentials: wrong })
        .get(POD, { namespace: 'a', name: 'p' })
        .catch(String);
      expect(failure).to.contain('elsewhere.test');
    });

    it('goes through the proxy that the file names, over one tunnel', async () => {
      await using stub = await ApiStub.start();
      await using proxy = await startProxy();
      const cluster = {
        server: stub.url.href,
        'certificate-authority-data': base64(stub.authority.certificate),
      };
      const credentials = await load({ cluster: { ...cluster, 'proxy-url': proxy.url } });
      const client = stub.client({ credentials });
      await Promise.all(Array.from({ length: 10 }, () => client.get(POD, { namespace: 'a', name: 'p' })));
      expect(proxy.tunnels).to.deep.equal([stub.url.host]);
      expect(stub.requests.map(({ httpVersion }) => httpVersion)).to.include('2.0');
    });

    it('says that the proxy is not there, and does not hang', async () => {
      await using stub = await ApiStub.start();
      const proxy = await startProxy();
      await proxy[Symbol.asyncDispose]();
      const credentials = await load({ cluster: { server: stub.url.href, 'proxy-url': proxy.url } });
      const failure = await stub
        .client({ credentials })
        .get(POD, { namespace: 'a', name: 'p' })
        .catch(String);
      expect(failure).to.contain('Unreachable').and.to.contain('ECONNREFUSED');
    });
  });

  async function load({ cluster = {}, user = {} }: { cluster?: object; user?: object }) {
    const file = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'main',
      clusters: [
        { name: 'c', cluster: { server: 'https://api.test:6443', ...cluster } },
        { name: 'o', cluster: { server: 'https://other.test' } },
      ],
      users: [{ name: 'u', user }],
      contexts: [
        { name: 'main', context: { cluster: 'c', user: 'u' } },
        { name: 'other', context: { cluster: 'o', user: 'u' } },
      ],
    };
    const path = join(directory, 'config');
    await writeFile(path, JSON.stringify(file));
    return kubeconfigCredentials({ path, env: {} });
  }
});

/** An HTTP proxy that opens tunnels, and notes where to. */
async function startProxy() {
  const tunnels: string[] = [];
  const server: Server = createServer();
  server.on('connect', (request, near) => {
    const [host, port] = (request.url ?? '').split(':');
    tunnels.push(request.url ?? '');
    const far = connect(Number(port), host, () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(near);
      near.pipe(far);
    });
    const end = () => [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far]) socket.on('error', end).on('close', end);
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    tunnels,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
