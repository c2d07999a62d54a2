import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { fixture } from '../../../test/support/executor-specs.ts';
import { stubCertificates } from '../../../test/support/stub-certificates.ts';
import type { SimulatedPods } from './simulated-pods.ts';
import { pemSecret, StubVaultWorld, vaultExecutor } from './stub-vault-world.ts';

const MINUTE_MS = 60_000;

describe('pods in simulated time', () => {
  let world: StubVaultWorld;
  let simulation: SimulatedPods;
  before(async () => {
    world = await StubVaultWorld.open();
  });
  after(() => world.close());

  it('a rotated object of the vault is picked up at the re-check with one write, and nothing else is written (S8, FB-7, WP-14)', async () => {
    begin(2);
    world.stub.objects.set('secret/c', pemSecret(fixture('root-p256.pem'), 'v1'));
    await simulation.apply(vaultExecutor(1));
    const [before = []] = materials();
    expect(before.map(({ path, source, sha256 }) => [path, source, sha256.length])).to.deep.equal([
      [
        'spec.verifiers[0].parameters.certificates[0].azurekeyvault.certificates[0]',
        'secret c/v1 of https://v.vault.azure.net',
        16,
      ],
    ]);
    await simulation.pass(3 * 66 * MINUTE_MS);
    for (const pod of simulation.pods) expect(pod.writes).to.have.length(1);

    world.stub.objects.set('secret/c', pemSecret(fixture('root-p384.pem'), 'v2'));
    await simulation.pass(66 * MINUTE_MS);
    for (const material of materials()) {
      expect(material.map(({ source }) => source)).to.deep.equal([
        'secret c/v2 of https://v.vault.azure.net',
      ]);
      expect(material.map(({ sha256 }) => sha256)).not.to.deep.equal(before.map(({ sha256 }) => sha256));
    }
    for (const pod of simulation.pods) expect(pod.writes).to.have.length(2);
    await simulation.pass(3 * 66 * MINUTE_MS);
    for (const pod of simulation.pods) expect(pod.writes).to.have.length(2);
  });

  it('a certificate that ends becomes a warning within 60 s, with one write and no other verdict (FB-7)', async () => {
    const { ca } = stubCertificates(['x.example']);
    const endMs = Date.parse(new X509Certificate(ca).validTo);
    begin(20, endMs - 10 * MINUTE_MS);
    const certificates = [{ inline: { certs: ca } }];
    await simulation.apply(vaultExecutor(1, { certificates }));
    await simulation.pass(10 * MINUTE_MS);
    for (const pod of simulation.pods) {
      expect(pod.writes).to.have.length(1);
      expect(pod.status('a')).not.to.have.property('warnings');
    }
    const before = simulation.pods.map((pod) => pod.status('a')?.lastTransitionTime);
    await simulation.pass(MINUTE_MS);
    for (const [index, pod] of simulation.pods.entries()) {
      const status = pod.status('a');
      expect(pod.writes).to.have.length(2);
      expect(status).to.include({ succeeded: true, reason: 'Built', lastTransitionTime: before[index] });
      expect(status?.warnings?.map(({ code }) => code)).to.deep.equal(['CertificateExpired']);
    }
    await simulation.pass(3 * 66 * MINUTE_MS);
    for (const pod of simulation.pods) expect(pod.writes).to.have.length(2);
  });

  it('a rotated object that is wrong is tried again until it is mended, as nobody tells of it (WP-6)', async () => {
    begin(1);
    world.stub.objects.set('secret/c', { body: { value: 'junk', contentType: 'application/x-pem-file' } });
    await simulation.apply(vaultExecutor(1));
    expect(simulation.pods[0]?.status('a')).to.include({ succeeded: false, reason: 'CredentialsInvalid' });
    world.stub.objects.set('secret/c', pemSecret(fixture('root-p256.pem')));
    await simulation.pass(10_000);
    expect(simulation.pods[0]?.status('a')).to.include({ succeeded: true });
  });

  it('a spec that is wrong is built once, and then only at the re-check (WP-6, P5)', async () => {
    begin(3);
    await simulation.apply(vaultExecutor(1, { certificates: [{ inline: { certs: fixture('leaf.pem') } }] }));
    await simulation.pass(50 * MINUTE_MS);
    const errors = simulation.pods.map((pod) => pod.status('a')?.error);
    expect(new Set(errors).size).to.equal(1);
    expect(errors[0]).to.match(/^CertificateNotTrustAnchor: /);
    for (const pod of simulation.pods) {
      expect(pod.writes).to.have.length(1);
      expect(pod.status('a')).to.include({ reason: 'ConfigInvalid', blocksSet: true });
      expect(await pod.builds()).to.equal(1);
    }
  });

  function begin(pods: number, startMs = Date.parse('2027-06-01T00:00:00Z')): void {
    simulation = world.simulate(pods, startMs);
  }

  const materials = () => simulation.pods.map((pod) => pod.status('a')?.material ?? []);
});
