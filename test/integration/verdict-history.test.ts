import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXECUTOR_GROUP } from '@executor-status/api';
import { expect } from 'chai';
import type { Pod } from '../support/control-plane.ts';
import { fixture, notation } from '../support/executor-specs.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { executorManifest, refOf } from './executor-manifest.ts';
import { type Report, WriterFleet } from './writer-fleet.ts';

describe('what a report keeps of earlier generations and says beside its neighbours', function () {
  this.timeout(120_000);
  const controlPlane = useControlPlane();
  let fleet: WriterFleet;
  let pod: Pod;
  let broken: string;

  before(async () => {
    fleet = await WriterFleet.install(controlPlane());
    broken = await fleet.folder();
    await writeFile(join(broken, 'broken.crt'), 'no certificate');
    pod = await fleet.makePod();
    await fleet.start(pod);
  });
  after(() => fleet[Symbol.asyncDispose]());

  const ref = (name: string) => refOf(name, fleet.namespace);

  /** Applies an executor and gives the report about that generation. */
  async function applied(name: string, fields: Parameters<WriterFleet['apply']>[1] = {}): Promise<Report> {
    const { metadata } = await fleet.apply(ref(name), fields);
    return fleet.reported(pod, ref(name), ({ status }) => status?.executorGeneration === metadata.generation);
  }

  it('says which older generation built, also after a restart, until a newer one does (WP-7)', async () => {
    const good = await applied('history', { scope: 'one.example' });
    expect(good.status).to.include({ succeeded: true, executorGeneration: 1, lastSucceededGeneration: 1 });
    const bad = await applied('history', { files: [broken] });
    const said = { succeeded: false, executorGeneration: 2, lastSucceededGeneration: 1 };
    expect(bad.status).to.include(said);
    expect(bad.status?.error).to.match(/; generation 1 built in this pod$/);

    const since = await controlPlane().audit.mark();
    const writer = await fleet.start(pod);
    await writer.waitForLog(({ msg }) => msg === 'starting');
    // What comes after the restart has been seen when it is reported.
    await applied('fence');
    expect((await fleet.report(pod, ref('history')))?.status).to.deep.equal(bad.status);
    const writes = (await fleet.writes({ since })).filter(({ name }) => name.endsWith('-history'));
    expect(writes).to.deep.equal([]);

    const mended = await applied('history', { scope: 'three.example' });
    expect(mended.status).to.include({ succeeded: true, executorGeneration: 3, lastSucceededGeneration: 3 });
    expect(mended.status).not.to.have.any.keys('error', 'briefError', 'blocksSet');
  });

  it('never says of one executor what is wrong with another one of its set (WP-8)', async () => {
    await applied('good', { scope: 'good.example' });
    const bad = await applied('bad', { files: [broken] });
    expect(bad.status).to.include({ succeeded: false, blocksSet: true });
    const edited = await applied('good', { scope: 'edited.example' });
    expect(edited.status).to.include({ succeeded: true, reason: 'Built', executorGeneration: 2 });
    expect(edited.status).not.to.have.any.keys('error', 'briefError', 'blocksSet');
    const mended = await applied('bad', { scope: 'bad.example' });
    expect(mended.status).to.include({ succeeded: true, reason: 'Built' });
    expect((await fleet.report(pod, ref('good')))?.status).to.deep.equal(edited.status);
  });

  it('says that a fault blocks nobody when Ratify does not even store the spec (WP-8)', async () => {
    const { apiVersion, kind, metadata } = executorManifest(ref('bare'), EXECUTOR_GROUP);
    await controlPlane().apply([{ apiVersion, kind, metadata }]);
    const { status } = await fleet.reported(pod, ref('bare'));
    expect(status).to.include({ succeeded: false, reason: 'ConfigInvalid', blocksSet: false });
    expect(status?.error).to.match(/^VerifiersMissing: /);
    await fleet.remove(ref('bare'));
    const leaf = notation({ certificates: [{ inline: { certs: fixture('leaf.pem') } }] });
    const blocked = await applied('leaf', { spec: { verifiers: [leaf] } });
    expect(blocked.status).to.include({ succeeded: false, reason: 'ConfigInvalid', blocksSet: true });
  });
});
