import { expect } from 'chai';
import { type PodFields, pod } from '../../../test/support/builders.ts';
import { type Pod, projectPod } from './pod.ts';

describe('projectPod', () => {
  const rows: Record<string, { pod: PodFields; want: Partial<Pod> }> = {
    'expects a report of a running pod': {
      pod: {},
      want: { expected: true, observed: true, lost: false, writer: 'running' },
    },
    'expects one of a pod that is scheduled and pending': {
      pod: { phase: 'Pending' },
      want: { expected: true },
    },
    'expects none of a pod that has no node yet': { pod: { nodeName: undefined }, want: { expected: false } },
    'expects none of a failed pod': { pod: { phase: 'Failed' }, want: { expected: false, over: true } },
    'expects none of a completed pod': {
      pod: { phase: 'Succeeded' },
      want: { expected: false, over: true },
    },
    'expects none of a pod that is being deleted': {
      pod: { deletionTimestamp: '2026-08-06T09:00:00Z' },
      want: { expected: false, over: false },
    },
    'expects none of a pod that opted out': { pod: { optedOut: true }, want: { expected: false } },
    'sees that there is no sidecar': {
      pod: { writer: 'absent' },
      want: { observed: false, writer: 'unknown' },
    },
    'knows nothing of a writer that the kubelet has not spoken of': {
      pod: { writer: 'silent' },
      want: { observed: true, writer: 'unknown' },
    },
    'sees a writer that waits for its restart': { pod: { writer: 'waiting' }, want: { writer: 'down' } },
    'sees a writer that has ended': { pod: { writer: 'terminated' }, want: { writer: 'down' } },
    'ST-2: takes a pod whose node is lost, as the node controller marks it, for lost': {
      pod: { conditions: { Ready: 'False', ContainersReady: 'True' } },
      want: { lost: true, expected: true },
    },
    'ST-2: takes a pod of unknown readiness for lost': {
      pod: { conditions: { Ready: 'Unknown' } },
      want: { lost: true },
    },
    'takes a pod whose containers are not ready for alive': {
      pod: { conditions: { Ready: 'False', ContainersReady: 'False' } },
      want: { lost: false },
    },
    'takes a pod that waits for its readiness gate for alive': {
      pod: { readinessGates: ['example.com/gate'], conditions: { Ready: 'False', ContainersReady: 'True' } },
      want: { lost: false },
    },
    'takes a pod with an open readiness gate on a lost node for lost': {
      pod: {
        readinessGates: ['gate'],
        conditions: { gate: 'True', Ready: 'False', ContainersReady: 'True' },
      },
      want: { lost: true },
    },
    'knows when Ratify started': {
      pod: { ratifyStartedAt: '2026-08-06T08:00:00Z' },
      want: { ratifyStartedAt: '2026-08-06T08:00:00Z' },
    },
  };

  for (const [name, { pod: fields, want }] of Object.entries(rows)) {
    it(name, () => {
      expect(projectPod(pod(fields), '')).to.deep.include(want);
    });
  }

  it('takes the container that it is told for Ratify', () => {
    expect(projectPod(pod({ ratifyStartedAt: '2026-08-06T08:00:00Z' }), 'other')).not.to.have.property(
      'ratifyStartedAt',
    );
  });

  it('keeps nothing that a status does not depend on', () => {
    expect(projectPod(pod(), '')).to.have.all.keys(
      'metadata',
      'over',
      'expected',
      'observed',
      'nodeName',
      'lost',
      'writer',
    );
  });
});
