import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { inClusterCredentials } from './in-cluster-credentials.ts';

describe('inClusterCredentials', () => {
  const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'in-cluster-'));
    await writeFile(join(directory, 'ca.crt'), 'a certificate');
    await writeFile(join(directory, 'token'), 'a token\n');
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('finds the API server, also under an IPv6 address', () => {
    expect(inClusterCredentials({ directory, env }).server.href).to.equal('https://10.96.0.1/');
    const six = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
    expect(inClusterCredentials({ directory, env: six }).server.href).to.equal('https://[fd00::1]:6443/');
  });

  it('says what to do outside a cluster', () => {
    expect(() => inClusterCredentials({ directory, env: {} })).to.throw(
      /run it in a pod, or give a kubeconfig/,
    );
  });

  it('B21: keeps no copy of the token or the certificate', async () => {
    const credentials = inClusterCredentials({ directory, env });
    expect(await credentials.headers()).to.deep.equal({ authorization: 'Bearer a token' });
    expect(await credentials.connection()).to.deep.equal({ ca: 'a certificate' });
    await writeFile(join(directory, 'token'), 'another token');
    await writeFile(join(directory, 'ca.crt'), 'another certificate');
    expect(await credentials.headers()).to.deep.equal({ authorization: 'Bearer another token' });
    expect(await credentials.connection()).to.deep.equal({ ca: 'another certificate' });
  });

  it('does not take an empty file for a token', async () => {
    await writeFile(join(directory, 'token'), '\n');
    const failure = await inClusterCredentials({ directory, env }).headers().catch(String);
    expect(failure).to.contain('token is empty');
  });

  it('goes through the proxy of the environment', async () => {
    const proxied = { ...env, HTTPS_PROXY: 'http://proxy:3128' };
    expect(await inClusterCredentials({ directory, env: proxied }).connection()).to.include({
      proxy: 'http://proxy:3128',
    });
    const exempt = { ...proxied, NO_PROXY: '10.0.0.0/8' };
    expect(await inClusterCredentials({ directory, env: exempt }).connection()).to.not.have.property('proxy');
  });
});
