import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { setGlobalProxyFromEnv } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';
import { ConnectProxy } from '../../../../test/support/connect-proxy.ts';
import { cosign, emptyEnvironment, goodSpec, member } from '../../../../test/support/executor-specs.ts';
import { TufRepository } from '../../../../test/support/tuf-repository.ts';
import { buildExecutor } from '../build-executor.ts';
import { ProviderError } from '../provider-error.ts';
import { tufSigstoreRoot } from './tuf-sigstore-root.ts';

const KEYLESS = { certificateIdentity: 'a@b', certificateOIDCIssuer: 'https://issuer.example' };

describe('tufSigstoreRoot', () => {
  let repository: TufRepository;
  let folder: string;
  beforeEach(async () => {
    repository = await TufRepository.start();
    folder = mkdtempSync(join(tmpdir(), 'sigstore-'));
    writeFileSync(join(folder, 'root.json'), repository.root);
  });
  afterEach(async () => {
    await repository.stop();
    rmSync(folder, { recursive: true });
  });

  const root = (cachePath = join(folder, 'cache'), timeoutMs = 5_000) =>
    tufSigstoreRoot({ cachePath, mirrorURL: repository.url, rootPath: join(folder, 'root.json'), timeoutMs });
  const fetch = async (sigstoreRoot = root(), signal = new AbortController().signal): Promise<string> => {
    try {
      await sigstoreRoot.fetch(signal);
      return 'fetched';
    } catch (error) {
      if (error instanceof ProviderError) return error.reason;
      throw error;
    }
  };

  it('fetches the root into its cache', async () => {
    expect(await fetch()).to.equal('fetched');
    expect(readdirSync(join(folder, 'cache'))).to.have.length(1);
  });

  it('asks the repository again each time, as Ratify does at each build', async () => {
    const sigstoreRoot = root();
    await fetch(sigstoreRoot);
    const before = repository.requests;
    expect(await fetch(sigstoreRoot)).to.equal('fetched');
    expect(repository.requests).to.be.above(before);
  });

  for (const status of [403, 500, 503]) {
    it(`tells a repository that answers ${status}`, async () => {
      repository.failWith = status;
      expect(await fetch()).to.equal('ProviderUnreachable');
    });
  }

  it('tells a repository that is not there', async () => {
    const sigstoreRoot = root();
    await repository.stop();
    expect(await fetch(sigstoreRoot)).to.equal('ProviderUnreachable');
    repository = await TufRepository.start();
  });

  it('tells a cache that cannot be written', async () => {
    expect(await fetch(root('/dev/null/cache'))).to.equal('BuildFailed');
  });

  it('ends when nobody waits any more', async () => {
    expect(await fetch(root(), AbortSignal.abort())).to.equal('ProviderUnreachable');
  });

  describe('in a network of its own', () => {
    let proxy: ConnectProxy;
    beforeEach(async () => {
      proxy = await ConnectProxy.start();
    });
    afterEach(async () => {
      await proxy.stop();
      setGlobalProxyFromEnv({});
      setDefaultCACertificates(getCACertificates('bundled'));
    });

    const far = (variables: Readonly<Record<string, string>>) =>
      tufSigstoreRoot({
        cachePath: join(folder, 'cache'),
        mirrorURL: 'https://tuf.vault.azure.net',
        rootPath: join(folder, 'root.json'),
        variables,
      });

    it('goes through the proxy and by the authorities that the environment names, as the vault does', async () => {
      const secure = await repository.secure(['tuf.vault.azure.net']);
      proxy.port = secure.port;
      const file = join(folder, 'ca.pem');
      writeFileSync(file, secure.ca);
      const sigstoreRoot = far({ HTTPS_PROXY: proxy.url, SSL_CERT_FILE: file });
      expect(await fetch(sigstoreRoot)).to.equal('fetched');
      expect(new Set(proxy.asked)).to.deep.equal(new Set(['tuf.vault.azure.net:443']));
    });

    it('passes the proxy by where the environment says so', async () => {
      const sigstoreRoot = far({ HTTPS_PROXY: proxy.url, NO_PROXY: 'tuf.vault.azure.net' });
      expect(await fetch(sigstoreRoot)).to.equal('ProviderUnreachable');
      expect(proxy.asked).to.deep.equal([]);
    });

    it('says so when the file of authorities cannot be read, and looks for it again', async () => {
      const secure = await repository.secure(['tuf.vault.azure.net']);
      proxy.port = secure.port;
      const file = join(folder, 'ca.pem');
      const sigstoreRoot = far({ HTTPS_PROXY: proxy.url, SSL_CERT_FILE: file });
      const error = await sigstoreRoot.fetch(new AbortController().signal).catch((thrown: unknown) => thrown);
      expect(error).to.include({ name: 'ProviderError', reason: 'ProviderUnreachable' });
      expect(String(error)).to.include('SSL_CERT_FILE');
      writeFileSync(file, secure.ca);
      expect(await fetch(sigstoreRoot)).to.equal('fetched');
    });
  });

  it('decides about a keyless executor', async () => {
    const spec = goodSpec({ verifiers: [cosign(KEYLESS)] });
    const build = () => buildExecutor(member(spec), emptyEnvironment({ sigstoreRoot: root() }));
    expect(await build()).to.include({ succeeded: true, reason: 'Built' });
    repository.failWith = 500;
    const outcome = await build();
    expect(outcome).to.include({
      reason: 'ProviderUnreachable',
      code: 'SigstoreRootUnavailable',
      retryable: true,
      blocksSet: true,
    });
    expect(outcome.error).to.match(
      /^SigstoreRootUnavailable: the Sigstore root could not be fetched, at spec.*: error refreshing TUF metadata.*; expected/,
    );
  });
});
