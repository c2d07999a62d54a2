import { EXECUTOR_GROUP, type Executor, type ExecutorStatus } from '@executor-status/api';
import { expect } from 'chai';
import { fixture, notation } from '../support/executor-specs.ts';
import { type Stage, setStage } from '../support/stage.ts';
import { waitUntil } from '../support/wait-until.ts';
import { executorManifest, executorPath, refOf } from './executor-manifest.ts';
import { metric } from './writer-probes.ts';

const PODS = 5;

describe('verdicts of five Ratify pods in the status of an executor', function () {
  this.timeout(90_000);
  let stage: Stage;

  before(async function () {
    this.timeout(20 * 60_000);
    stage = await setStage({ pods: PODS, exampleFiles: true, log: () => undefined });
  });
  after(() => stage[Symbol.asyncDispose]());

  const read = (name: string) =>
    stage.controlPlane.admin.call<Executor>(`GET ${executorPath(refOf(name), EXECUTOR_GROUP)}`);
  const total = async (figure: string) => {
    const figures = await Promise.all(stage.writers.map(({ app }) => metric(app, figure)));
    return figures.reduce((sum, one) => sum + one, 0);
  };

  /** Applies an executor and waits until all pods have said what they make of this generation. */
  async function settled(
    name: string,
    fields: Parameters<typeof executorManifest>[2],
  ): Promise<ExecutorStatus> {
    await stage.controlPlane.apply([executorManifest(refOf(name), EXECUTOR_GROUP, fields)]);
    return await waitUntil(
      async () => {
        const { metadata, status } = await read(name);
        const done =
          status?.observedGeneration === metadata.generation && status?.podCounts?.upToDate === PODS;
        return done ? status : undefined;
      },
      { what: `the settled status of ${name}`, deadlineMs: 30_000 },
    );
  }

  it('a leaf certificate in the spec is one error of all pods, Stalled, and built once in each (P5)', async () => {
    const leaf = notation({ certificates: [{ inline: { certs: fixture('leaf.pem') } }] });
    const status = await settled('leaf', { spec: { verifiers: [leaf] } });
    expect(status.errorGroups?.map(({ reason, count }) => [reason, count])).to.deep.equal([
      ['ConfigInvalid', PODS],
    ]);
    expect(new Set(status.byPod?.map(({ error }) => error)).size).to.equal(1);
    expect(status.error).to.match(/^5\/5 replicas unhealthy: CertificateNotTrustAnchor/);
    const stalled = status.conditions?.find(({ type }) => type === 'Stalled');
    expect(stalled).to.include({ status: 'True', reason: 'ConfigInvalid' });

    const built = await total('executor_builds_total');
    // Time itself is simulated elsewhere; here an edit of a neighbour passes.
    await settled('fence', { scope: 'fence.example' });
    expect((await total('executor_builds_total')) - built).to.equal(PODS, 'those of the fence');
    await stage.controlPlane.admin.call(`DELETE ${executorPath(refOf('leaf'), EXECUTOR_GROUP)}`);
  });

  it('the pods that cannot read a trust store are said once and steadily, and no status write causes a build (B09)', async () => {
    const files = { files: ['/usr/local/notation/certs'] };
    const status = await settled('files', files);
    expect(status.builds).to.equal('3/5');
    expect(status.byPod?.map(({ succeeded }) => succeeded)).to.deep.equal([false, false, true, true, true]);
    const reasons = status.byPod?.filter(({ succeeded }) => !succeeded).map(({ reason }) => reason);
    expect(reasons).to.deep.equal(['CredentialsInvalid', 'CredentialsInvalid']);

    const built = await total('executor_builds_total');
    const since = await stage.controlPlane.audit.mark();
    for (let at = 0; at < 20; at++) {
      const path = `${executorPath(refOf('files'), EXECUTOR_GROUP)}/status`;
      await stage.controlPlane.admin.request(`PATCH ${path}`, { status: { briefError: String(at) } });
    }
    await settled('fence', { scope: 'fence-again.example' });
    expect((await total('executor_builds_total')) - built).to.equal(PODS, 'those of the fence');
    const reports = await stage.controlPlane.audit.entries({ resource: 'executorpodstatuses', since });
    expect(reports.filter(({ name, verb }) => verb === 'patch' && name.endsWith('-files'))).to.deep.equal([]);
  });
});
