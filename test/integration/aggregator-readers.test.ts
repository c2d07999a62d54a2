import { EXECUTOR_GROUP, type ExecutorStatus, type PodEntry } from '@executor-status/api';
import { expect } from 'chai';
import { fullExecutorStatus } from '../contract/full-executor-status.ts';
import { executorStates } from '../support/executor-states.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { type RatifyRead, readStrictly, type StrictlyRead } from '../support/strict-reader.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';

describe('readers that know less of a status than we write', function () {
  // Their first run on a machine builds a Go program.
  this.timeout(300_000);
  const controlPlane = useControlPlane();

  it('AP-8: read the fields of Ratify and of pull request #2831 with their names and types, in every state', async () => {
    const statuses = [
      fullExecutorStatus as ExecutorStatus,
      ...Object.values(executorStates()).flatMap(({ executor }) => executor.status ?? []),
    ];
    const read = await readStrictly(statuses.map((status) => ({ status })));
    expect(read).to.deep.equal(statuses.map(known));
  });

  it('AP-8: read what a real API server gives out', async () => {
    await using stage = await AggregatorStage.install(controlPlane());
    const ref = refOf('read-strictly');
    const [good, bad] = await stage.makePods('ratify-1', 'ratify-2');
    if (good === undefined || bad === undefined) throw new Error('there are two pods');
    await stage.apply(ref);
    await stage.report(good, ref);
    await stage.report(bad, ref, { error: 'no <key> & no 🔑', briefError: 'no key' });
    await stage.start();
    const status = await stage.shows(ref, ({ builds }) => builds === '1/2');
    const [read] = await readStrictly([await stage.executor(ref)]);
    expect(read).to.deep.equal(known(status));
    expect(read?.listed.byPod?.map(({ error }) => error)).to.deep.equal(['no <key> & no 🔑', undefined]);
  });

  const wrong: Record<string, object> = {
    'another case': { succeeded: true, brieferror: 'x' },
    'another type': { succeeded: 'true' },
    'another type in an entry': { succeeded: true, byPod: [{ id: 'a', observedGeneration: '1' }] },
    'another case in an entry': { succeeded: true, byPod: [{ ID: 'a' }] },
    'a time that is none': { succeeded: true, byPod: [{ id: 'a', lastTransitionTime: 'yesterday' }] },
  };
  for (const [name, status] of Object.entries(wrong)) {
    it(`refuse ${name}`, async () => {
      const error: unknown = await readStrictly([{ status }]).catch((reason: unknown) => reason);
      expect(String(error)).to.contain('strict-reader: object 1:');
    });
  }

  it("AP-8: a kind of Ratify's own that is called ExecutorPodStatus changes nothing", async () => {
    await controlPlane().apply([FOREIGN_KIND]);
    try {
      await using stage = await AggregatorStage.install(controlPlane());
      const ref = refOf('beside-a-namesake');
      const pod = await stage.makePod({ name: 'ratify-1' });
      await stage.apply(ref);
      const path = `/apis/${EXECUTOR_GROUP}/v2alpha1/namespaces/${stage.namespace}/executorpodstatuses`;
      const object = {
        apiVersion: `${EXECUTOR_GROUP}/v2alpha1`,
        kind: 'ExecutorPodStatus',
        metadata: { name: 'ratify--1-beside--a--namesake' },
        status: { id: 'ratify-1', succeeded: false },
      };
      await waitUntil(async () => (await controlPlane().admin.request(`POST ${path}`, object)).code === 201, {
        what: 'a foreign report',
      });
      const since = await controlPlane().audit.mark();
      await stage.report(pod, ref);
      await stage.start();
      const status = await stage.ready(ref, 'True/BuildsInAllPods');
      expect(status.builds).to.equal('1/1');
      const asked = await controlPlane().audit.entries({
        user: stage.user,
        resource: 'executorpodstatuses',
        since,
      });
      expect(new Set(asked.map(({ apiGroup }) => apiGroup))).to.deep.equal(new Set(['status.ratify.sh']));
    } finally {
      await controlPlane().admin.call(
        `DELETE /apis/apiextensions.k8s.io/v1/customresourcedefinitions/${FOREIGN_KIND.metadata.name}`,
      );
    }
  });
});

/** What those readers are to find in a status: Go leaves out what is empty. */
function known(status: ExecutorStatus): StrictlyRead {
  const { succeeded, byPod = [] } = status;
  const ratify: RatifyRead = { succeeded, ...texts(status) };
  const entries = byPod.map((entry) => ({
    id: entry.id,
    ...(entry.observedGeneration > 0 && { observedGeneration: entry.observedGeneration }),
    succeeded: entry.succeeded,
    ...texts(entry),
    ...(entry.lastTransitionTime && { lastTransitionTime: entry.lastTransitionTime }),
  }));
  return { ratify, listed: { ...ratify, ...(entries.length > 0 && { byPod: entries }) } };
}

const texts = ({ error, briefError }: Pick<PodEntry, 'error' | 'briefError'>) => ({
  ...(error && { error }),
  ...(briefError && { briefError }),
});

const FOREIGN_KIND = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `executorpodstatuses.${EXECUTOR_GROUP}` },
  spec: {
    group: EXECUTOR_GROUP,
    scope: 'Namespaced',
    names: { kind: 'ExecutorPodStatus', plural: 'executorpodstatuses' },
    versions: [
      {
        name: 'v2alpha1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
} as const;
