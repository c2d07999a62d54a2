import { type ExecutorPodStatus, newExecutorPodStatus, WRITER_FIELD_MANAGER } from '@executor-status/api';
import {
  createKubeClient,
  executorResource,
  type KubeClient,
  KubeError,
  kubeconfigCredentials,
  POD,
  type Resource,
  reportResource,
  type Sent,
} from '@executor-status/kube';
import { expect } from 'chai';
import { useControlPlane } from '../../support/shared-control-plane.ts';

const REPORTS = reportResource();

describe('the calls of the API server client', function () {
  this.timeout(60_000);
  const controlPlane = useControlPlane();
  let client: KubeClient;
  let namespace: string;
  before(async () => {
    const credentials = await kubeconfigCredentials({ path: controlPlane().kubeconfig, env: {} });
    client = createKubeClient({ credentials, userAgent: 'calls/1' });
    namespace = await controlPlane().createNamespace();
  });
  after(() => client.close());

  const status = {
    executorUID: 'u',
    executorGeneration: 1,
    succeeded: true,
    reason: 'Built',
    lastTransitionTime: '2026-08-06T09:49:44Z',
  };
  /** A report that nobody owns, so that the garbage collector leaves it alone. */
  const newReport = (pod: string) => {
    const identity = { namespace, name: pod, uid: `uid-of-${pod}`, nodeName: 'n' };
    const { metadata, spec } = newExecutorPodStatus(identity, { kind: 'Executor', name: 'default' });
    const ref = { namespace, name: metadata.name };
    return { ref, object: { metadata: ref, spec }, status: { ...status, id: pod } };
  };
  const apply = (object: Sent, subresource?: 'status') =>
    client.apply<ExecutorPodStatus>(REPORTS, object, {
      fieldManager: WRITER_FIELD_MANAGER,
      ...(subresource && { subresource }),
    });
  /** Somebody else changes the object. */
  const touch = ({ object }: ReturnType<typeof newReport>) => {
    const labelled = { ...object, metadata: { ...object.metadata, labels: { touched: 'yes' } } };
    return client.apply(REPORTS, labelled, { fieldManager: 'somebody' });
  };

  it('B20: apply an object, and then its first status', async () => {
    const report = newReport('fresh');
    const made = await apply(report.object);
    expect(made).to.not.have.property('status');
    const told = await apply({ metadata: report.ref, status: report.status }, 'status');
    expect(told.status).to.deep.equal(report.status);
    expect(told.metadata.uid).to.equal(made.metadata.uid);
    expect(await client.get(REPORTS, report.ref)).to.deep.equal(told);
  });

  it('WP-3: apply a status although the object has changed since it was read, unless told which version is meant', async () => {
    const report = newReport('changed');
    const made = await apply(report.object);
    await touch(report);
    const told = await apply({ metadata: report.ref, status: report.status }, 'status');
    expect(told.status?.succeeded).to.equal(true);

    const { resourceVersion = '' } = made.metadata;
    const stale = {
      metadata: { ...report.ref, resourceVersion },
      status: { ...report.status, succeeded: false },
    };
    expect(await failureOf(apply(stale, 'status'))).to.include({
      code: 409,
      reason: 'Conflict',
      retryable: true,
    });
  });

  it('apply what is there already without a new version', async () => {
    const { object } = newReport('twice');
    const [first, second] = [await apply(object), await apply(object)];
    expect(second.metadata.resourceVersion).to.equal(first.metadata.resourceVersion);
  });

  it('create only what is not there', async () => {
    const { object } = newReport('new');
    await client.create(REPORTS, object);
    expect(await failureOf(client.create(REPORTS, object))).to.include({
      code: 409,
      reason: 'AlreadyExists',
    });
  });

  it('remove the very object that is meant, and no other of its name', async () => {
    const { object, ref } = newReport('mortal');
    const { uid = '' } = (await apply(object)).metadata;
    expect(await client.remove(REPORTS, { ...ref, uid: 'of-another' })).to.equal(false);
    expect(await client.get(REPORTS, ref)).to.not.equal(undefined);
    expect(await client.remove(REPORTS, { ...ref, uid })).to.equal(true);
    expect(await client.remove(REPORTS, { ...ref, uid })).to.equal(false);
    expect(await client.get(REPORTS, ref)).to.equal(undefined);
  });

  it('remove an object only while it is as it was', async () => {
    const report = newReport('moved-on');
    const { uid = '', resourceVersion = '' } = (await apply(report.object)).metadata;
    await touch(report);
    const removal = client.remove(REPORTS, { ...report.ref, uid, resourceVersion });
    expect(await failureOf(removal)).to.include({ code: 409, retryable: true });
  });

  it('AP-7: say which fields the CRD does not declare', async () => {
    const report = newReport('modern');
    await apply(report.object);
    const newer = { ...report.status, mood: 'good' };
    const error = await failureOf(apply({ metadata: report.ref, status: newer }, 'status'));
    expect(error).to.include({ code: 500, retryable: false });
    expect(error.undeclaredFields).to.deep.equal(['.status.mood']);
  });

  it('refuse what the schema refuses, in a way that no retry can help', async () => {
    const { object } = newReport('wrong');
    const wrongType = { ...object, spec: { ...object.spec, pod: { name: 7, uid: 'u' } } };
    expect(await failureOf(apply(wrongType))).to.include({ retryable: false });
    const incomplete = { metadata: object.metadata, spec: {} };
    expect(await failureOf(apply(incomplete))).to.include({ code: 422, retryable: false });
  });

  it('RP-8: read metadata only, of one object and of all', async () => {
    const { object, ref } = newReport('outline');
    await apply(object);
    const one = await client.get(REPORTS, ref, { metadataOnly: true });
    expect(one).to.have.property('kind', 'PartialObjectMetadata');
    expect(one).to.not.have.property('spec');
    const { items } = await client.list<object>(REPORTS, { namespace, metadataOnly: true });
    expect(items).to.not.have.length(0);
    for (const item of items) expect(item).to.have.property('metadata').and.not.to.have.property('spec');
  });

  it('RP-5: list everything page by page, as of one version', async () => {
    const own = await controlPlane().createNamespace();
    for (let n = 0; n < 7; n += 1) await controlPlane().makePod({ namespace: own, name: `pod-${n}` });
    const { audit } = controlPlane();
    const since = await audit.mark();
    const { items, resourceVersion } = await client.list(POD, { namespace: own, pageSize: 3 });
    expect(items).to.have.length(7);
    expect(resourceVersion).to.match(/^\d+$/);
    expect(await audit.count({ since, verb: 'list', resource: 'pods', namespace: own })).to.equal(3);
  });

  it('tell a kind that is not installed from an object that is not there', async () => {
    const unknown: Resource = { ...executorResource('Executor', 'not.installed.test'), version: 'v1' };
    expect(await failureOf(client.get(unknown, { name: 'x' }))).to.include({ code: 404, missing: 'kind' });
    expect(await failureOf(client.list({ ...POD, plural: 'nowhere' }))).to.include({
      code: 404,
      missing: 'kind',
    });
    expect(await client.get(executorResource('Executor'), { name: 'nobody' })).to.equal(undefined);
  });

  it('say who it is, by a token that is bound to a pod', async () => {
    const pod = await controlPlane().makePod({ namespace });
    const path = await controlPlane().kubeconfigFor(await controlPlane().podToken(pod));
    const bound = createKubeClient({
      credentials: await kubeconfigCredentials({ path, env: {} }),
      userAgent: 'bound/1',
    });
    const self = await bound.selfSubjectReview();
    await bound.close();
    expect(self.extra).to.deep.include({
      'authentication.kubernetes.io/pod-name': [pod.name],
      'authentication.kubernetes.io/pod-uid': [pod.uid],
    });
  });

  it('say what is forbidden, without naming the token', async () => {
    const pod = await controlPlane().makePod({ namespace });
    const token = await controlPlane().podToken(pod);
    const path = await controlPlane().kubeconfigFor(token);
    const bound = createKubeClient({
      credentials: await kubeconfigCredentials({ path, env: {} }),
      userAgent: 'bound/1',
    });
    const error = await failureOf(bound.list(REPORTS));
    await bound.close();
    expect(error).to.include({ code: 403, reason: 'Forbidden', retryable: false });
    expect(error.message)
      .to.contain('cannot list executorpodstatuses: HTTP 403 Forbidden')
      .and.not.contain(token);
  });
});

async function failureOf(call: Promise<unknown>): Promise<KubeError> {
  const error = await call.then(
    (value) => value,
    (reason: unknown) => reason,
  );
  if (error instanceof KubeError) return error;
  throw new Error('the call did not fail with a KubeError', { cause: error });
}
