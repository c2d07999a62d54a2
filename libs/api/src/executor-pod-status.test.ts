import { expect } from 'chai';
import { newExecutorPodStatus, type PodIdentity } from './executor-pod-status.ts';

const UID = '6d0c2f4e-7a0b-4c5e-9a8f-0123456789ab';

describe('newExecutorPodStatus', () => {
  const pod: PodIdentity = { namespace: 'ratify', name: 'ratify-0', uid: UID, nodeName: 'node-1' };

  it('GC-1 names pod and executor in its spec and is owned by the pod, without controller or blockOwnerDeletion', () => {
    expect(newExecutorPodStatus(pod, { kind: 'Executor', name: 'default' })).to.deep.equal({
      apiVersion: 'status.ratify.sh/v1alpha1',
      kind: 'ExecutorPodStatus',
      metadata: {
        name: 'ratify--0-default',
        namespace: 'ratify',
        labels: { 'status.ratify.sh/pod-uid': UID },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'ratify-0', uid: UID }],
      },
      spec: {
        executorRef: { kind: 'Executor', name: 'default' },
        pod: { name: 'ratify-0', uid: UID },
        nodeName: 'node-1',
      },
    });
  });

  it('leaves the node out when nobody knows it', () => {
    const report = newExecutorPodStatus(
      { namespace: 'ratify', name: 'a', uid: UID },
      { kind: 'Executor', name: 'b' },
    );
    expect(report.spec).not.to.have.property('nodeName');
  });

  for (const chars of [63, 64, 100, 253]) {
    it(`ID-4 B04 has legal labels for a pod name of ${chars} characters and an Executor name of 253`, () => {
      const long = { ...pod, name: 'p'.repeat(chars) };
      const report = newExecutorPodStatus(long, { kind: 'Executor', name: 'e'.repeat(253) });
      const labels = Object.values(report.metadata.labels ?? {});
      expect(labels).to.deep.equal([UID]);
      for (const label of labels) expect(label).to.match(/^[a-z0-9-]{36}$/);
      expect(report.metadata.name.length).to.be.at.most(253);
      expect(report.spec.pod.name).to.equal(long.name);
      expect(report.spec.executorRef.name).to.have.length(253);
    });
  }
});
