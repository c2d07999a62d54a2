import {
  createKubeClient,
  EVENT,
  EventRecorder,
  type KubeClient,
  kubeconfigCredentials,
} from '@executor-status/kube';
import { expect } from 'chai';
import { useControlPlane } from '../../support/shared-control-plane.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('Events on the real API server', function () {
  this.timeout(60_000);
  const controlPlane = useControlPlane();
  let client: KubeClient;
  before(async () => {
    const credentials = await kubeconfigCredentials({ path: controlPlane().kubeconfig, env: {} });
    client = createKubeClient({ credentials, userAgent: 'events/1' });
  });
  after(() => client.close());

  for (const scope of ['Executor', 'NamespacedExecutor']) {
    it(`AP-6: are taken for one ${scope}, counted, and shown by kubectl`, async () => {
      const namespace = await controlPlane().createNamespace();
      const namespaced = scope === 'NamespacedExecutor';
      const regarding = {
        apiVersion: 'config.ratify.sh/v2alpha1',
        kind: scope,
        name: `executor-of-${namespace}`,
        uid: `uid-of-${namespace}`,
        ...(namespaced && { namespace }),
      };
      const reporter = { controller: 'status.ratify.sh/status-aggregator', instance: 'aggregator-0' };
      const recorder = new EventRecorder({ client, reporter, random: Math.random, seriesMs: 1 });
      const happening = {
        regarding,
        type: 'Warning',
        reason: 'BuildFailed',
        action: 'Aggregate',
        note: '1/5 pods fail',
      } as const;
      recorder.record(happening);
      await recorder.idle();
      await waitUntil(
        async () => {
          recorder.record(happening);
          await recorder.idle();
          const events = await client.list<{ series?: { count: number }; regarding: { name: string } }>(
            EVENT,
            {
              namespace: namespaced ? namespace : 'default',
            },
          );
          const own = events.items.filter(({ regarding: { name } }) => name === regarding.name);
          expect(own).to.have.length(1);
          return (own[0]?.series?.count ?? 0) >= 3;
        },
        { what: 'a series of three' },
      );
      const where = namespaced ? namespace : 'default';
      const { stdout } = await controlPlane().kubectl(
        'events',
        '--namespace',
        where,
        '--for',
        `${scope}/${regarding.name}`,
      );
      expect(stdout).to.contain('BuildFailed').and.contain('1/5 pods fail');
    });
  }
});
