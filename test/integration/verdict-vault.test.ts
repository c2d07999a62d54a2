import { readdirSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConnectProxy } from '../support/connect-proxy.ts';
import type { Pod } from '../support/control-plane.ts';
import { cosign, fixture, notation } from '../support/executor-specs.ts';
import { type FaultProxy, proxyFor } from '../support/fault-proxy.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { type StubAnswer, VaultStub } from '../support/vault-stub.ts';
import { waitUntil } from '../support/wait-until.ts';
import { refOf } from './executor-manifest.ts';
import { WriterFleet } from './writer-fleet.ts';
import { metric } from './writer-probes.ts';

const PODS = 3;

describe('three executor-writers and a key vault behind a proxy', function () {
  this.timeout(120_000);
  const controlPlane = useControlPlane();
  let stub: VaultStub;
  let way: ConnectProxy;
  let faults: FaultProxy;
  let fleet: WriterFleet;
  let pods: readonly Pod[];
  let env: Readonly<Record<string, string>>;

  before(async () => {
    stub = await VaultStub.start();
    way = await ConnectProxy.start();
    way.port = stub.tlsPort;
    const proxied = await proxyFor(controlPlane());
    faults = proxied.proxy;
    fleet = await WriterFleet.install(proxied.controlPlane);
    env = await workloadIdentity();
    for (const name of ['c', 'd', 'e']) stub.objects.set(`secret/${name}`, pemSecret(name));
    pods = await Promise.all(Array.from({ length: PODS }, () => fleet.makePod()));
    await everyPod((pod) => fleet.start(pod, { env }));
  });
  afterEach(() => faults.heal());
  after(async () => {
    await fleet[Symbol.asyncDispose]();
    await faults[Symbol.asyncDispose]();
    await way.stop();
    await stub.stop();
  });

  const ref = (name: string) => refOf(name, fleet.namespace);
  const everyPod = <T>(ask: (pod: Pod) => Promise<T>) => Promise.all(pods.map(ask));
  const builds = async () =>
    (await everyPod((pod) => fleet.builds(pod))).reduce((sum, count) => sum + count, 0);

  /** Applies an executor with these objects of the vault, and waits until all pods have reported it. */
  async function apply(name: string, objects: readonly string[], scope: string): Promise<void> {
    const azurekeyvault = {
      vaultURL: 'https://v.vault.azure.net',
      certificates: objects.map((object) => ({ name: object })),
    };
    const spec = { verifiers: [notation({ certificates: [{ azurekeyvault }] })] };
    const { metadata } = await fleet.apply(ref(name), { scope, spec });
    await everyPod((pod) =>
      fleet.reported(pod, ref(name), ({ status }) => status?.executorGeneration === metadata.generation),
    );
  }

  function forgetCalls(): void {
    stub.calls = { token: 0, challenge: 0, objects: {} };
  }

  it('make as many calls for a new executor and for an edit as there are pods times distinct objects (P3)', async () => {
    await apply('wide', ['c', 'd', 'c'], 'wide.example');
    expect(stub.calls.objects).to.deep.equal({ 'secret/c': PODS, 'secret/d': PODS });
    await apply('narrow', ['c'], 'narrow.example');
    expect(stub.calls.objects).to.deep.equal({ 'secret/c': 2 * PODS, 'secret/d': PODS });
    forgetCalls();
    await apply('wide', ['c', 'd', 'c'], 'edited.example');
    expect(stub.calls).to.deep.equal({
      token: 0,
      challenge: 0,
      objects: { 'secret/c': PODS, 'secret/d': PODS },
    });
    const [pod] = pods as [Pod];
    const { status } = await fleet.reported(pod, ref('wide'));
    expect(status).to.include({ succeeded: true, reason: 'Built' });
    expect(new Set(way.asked)).to.deep.equal(
      new Set(['v.vault.azure.net:443', 'login.microsoftonline.com:443']),
    );
  });

  it('build and call nothing again for twenty writes that fail (J14, P3)', async () => {
    await apply('refused', ['e'], 'refused.example');
    const before = await builds();
    forgetCalls();
    const status = { verb: 'patch', resource: 'executorpodstatuses', subresource: 'status' };
    const rule = faults.fault({ kind: 'answer', code: 409, match: status, times: 20 });
    await apply('refused', ['e'], 'refused-again.example');
    expect(rule.hits).to.equal(20);
    expect((await builds()) - before).to.equal(PODS);
    expect(stub.calls.objects).to.deep.equal({ 'secret/e': PODS });
  });

  it('fail for the one object of three that is disabled, and name it (B11)', async () => {
    stub.objects.set('secret/off', {
      status: 403,
      body: {
        error: {
          code: 'Forbidden',
          message: 'Operation get is not allowed on a disabled secret.',
          innererror: { code: 'SecretDisabled' },
        },
      },
    });
    await apply('third', ['c', 'off', 'd'], 'third.example');
    for (const { status } of await everyPod((pod) => fleet.reported(pod, ref('third')))) {
      expect(status).to.include({ succeeded: false, reason: 'CredentialsInvalid', blocksSet: true });
      expect(status?.error).to.include('the secret "off"').and.include('disabled secret');
    }
    await fleet.remove(ref('third'));
    await everyPod((pod) => fleet.unreported(pod, ref('third')));
  });

  it('pick up a rotated object at the re-check, with one write, and write nothing at the others (S8, FB-7, WP-14)', async () => {
    const [pod] = pods as [Pod];
    await apply('rotated', ['e'], 'rotated.example');
    await fleet.start(pod, { env, flags: ['--recheck=1s'] });
    const rechecks = () => metric(fleet.writer(pod), 'executor_builds_total');
    const more = async (count: number) => {
      const wanted = (await rechecks()) + count;
      await waitUntil(async () => (await rechecks()) >= wanted, { what: `${count} more builds` });
    };
    const since = await controlPlane().audit.mark();
    await more(8);
    const writes = async () =>
      (await fleet.writes({ since })).filter(({ name }) => name.endsWith('-rotated'));
    expect(await writes()).to.deep.equal([]);
    stub.objects.set('secret/e', pemSecret('e', { version: 'v2', file: 'root-p384.pem' }));
    const { status } = await fleet.reported(
      pod,
      ref('rotated'),
      ({ status: said }) => said?.material?.[0]?.source.includes('/v2') === true,
    );
    expect(status).to.include({ succeeded: true, executorGeneration: 1 });
    expect(status?.material).to.deep.equal([
      {
        path: 'spec.verifiers[0].parameters.certificates[0].azurekeyvault.certificates[0]',
        source: 'secret e/v2 of https://v.vault.azure.net',
        sha256: status?.material?.[0]?.sha256,
        notAfter: '2126-11-05T17:05:59Z',
      },
    ]);
    await more(8);
    expect((await writes()).map(({ code, subresource }) => [code, subresource])).to.deep.equal([
      [200, 'status'],
    ]);
  });

  it('fetch the Sigstore root through the same proxy and by the same authorities, and download into its cache', async () => {
    const [pod] = pods as [Pod];
    const cache = await mkdtemp(join(controlPlane().directory, 'sigstore-'));
    let during: readonly string[] = [];
    stub.others = () => {
      during = readdirSync(cache);
      return { status: 404 };
    };
    const { TMPDIR: _, ...environment } = env;
    await fleet.start(pod, { env: environment, flags: [`--sigstore-cache=${cache}`] });
    const identity = { certificateIdentity: 'a@b', certificateOIDCIssuer: 'https://issuer.example' };
    await fleet.apply(ref('keyless'), { scope: 'keyless.example', spec: { verifiers: [cosign(identity)] } });
    const { status } = await fleet.reported(pod, ref('keyless'));
    expect(way.asked).to.include('tuf-repo-cdn.sigstore.dev:443');
    expect(status).to.include({ reason: 'ProviderUnreachable' });
    expect(status?.error).to.match(/^SigstoreRootUnavailable: /);
    // The repository's own folder, and the one of the download that was under way.
    expect(during).to.have.length(2);
    expect(readdirSync(cache)).to.deep.equal(['tuf-repo-cdn.sigstore.dev']);
    await fleet.remove(ref('keyless'));
  });

  async function workloadIdentity(): Promise<Readonly<Record<string, string>>> {
    const folder = await mkdtemp(join(controlPlane().directory, 'identity-'));
    await writeFile(join(folder, 'token'), 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln');
    await writeFile(join(folder, 'ca.pem'), stub.ca);
    return {
      AZURE_CLIENT_ID: 'client-1',
      AZURE_TENANT_ID: 'tenant-1',
      AZURE_FEDERATED_TOKEN_FILE: join(folder, 'token'),
      HTTPS_PROXY: way.url,
      SSL_CERT_FILE: join(folder, 'ca.pem'),
    };
  }
});

function pemSecret(name: string, { version = 'v1', file = 'root-p256.pem' } = {}): StubAnswer {
  const id = `https://v.vault.azure.net/secrets/${name}/${version}`;
  return { body: { value: fixture(file), contentType: 'application/x-pem-file', id } };
}
