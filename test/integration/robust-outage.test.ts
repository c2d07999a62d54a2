import { expect } from 'chai';
import { type ControlPlane, type Pod, startControlPlane } from '../support/control-plane.ts';
import { type FaultProxy, proxyFor } from '../support/fault-proxy.ts';
import { PROJECT_CRDS } from '../support/project-crds.ts';
import { waitUntil } from '../support/wait-until.ts';
import { refOf } from './executor-manifest.ts';
import type { Follower } from './robust-follower.ts';
import { RobustStage } from './robust-stage.ts';
import { WriterFleet } from './writer-fleet.ts';
import { metric, probe } from './writer-probes.ts';

/** How often the API server is killed; each takes some ten seconds. */
const KILLS = Number(process.env['ROBUST_KILLS'] ?? 2);

describe('an API server that is killed, behind the fault proxy', function () {
  this.timeout(120_000 + KILLS * 60_000);
  let controlPlane: ControlPlane;
  let proxy: FaultProxy;
  let stage: RobustStage;
  let follower: Follower;
  let fleet: WriterFleet;
  let pods: readonly Pod[];

  before(async function () {
    this.timeout(20 * 60_000);
    controlPlane = await startControlPlane({
      manifests: PROJECT_CRDS,
      controllers: ['namespace-controller'],
    });
    stage = await RobustStage.open(controlPlane);
    follower = stage.follow();
    const proxied = await proxyFor(controlPlane);
    proxy = proxied.proxy;
    fleet = await WriterFleet.install(proxied.controlPlane);
    pods = await fleet.startPods(2, ['--call-timeout=5s']);
  });
  after(async () => {
    await fleet.stopWriters();
    await stage[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await controlPlane.stop();
  });

  const ref = (name: string) => refOf(name, fleet.namespace);
  const reported = (name: string, uid: string, generation: number | undefined) =>
    Promise.all(
      pods.map((pod) =>
        fleet.reported(
          pod,
          ref(name),
          ({ status }) => status?.executorUID === uid && status.executorGeneration === generation,
        ),
      ),
    );
  const processesAreWell = async () => {
    for (const pod of pods) {
      expect((await probe(fleet.writer(pod), '/livez')).status).to.equal(200);
      expect(await metric(fleet.writer(pod), 'executor_status_unhandled_errors_total')).to.equal(0);
    }
  };

  it('leaves one watch of each resource to each client, and reports that are right (B18, RP-3, WP-4)', async () => {
    for (const name of ['kept', 'again']) {
      await stage.apply(name);
      const { metadata } = await fleet.apply(ref(name));
      await reported(name, metadata.uid, metadata.generation);
    }
    await follower.equalsServer();
    for (let kill = 1; kill <= KILLS; kill++) {
      await controlPlane.apiServer.kill();
      await waitUntil(() => follower.health.failures > 1, { what: 'tries that failed' });
      await processesAreWell();
      await controlPlane.apiServer.start();
      // Made anew at once, so that most watches have not come back yet.
      await Promise.all([stage.remove('again'), fleet.remove(ref('again'))]);
      await Promise.all([stage.apply('again'), stage.apply('kept', { scope: `kill-${kill}.example` })]);
      const kept = await fleet.apply(ref('kept'), { scope: `kill-${kill}.example` });
      const again = await fleet.apply(ref('again'));
      await reported('kept', kept.metadata.uid, kept.metadata.generation);
      await reported('again', again.metadata.uid, again.metadata.generation);
      await follower.equalsServer();
    }
    for (const one of [proxy, stage.proxy]) {
      expect([...new Set(Object.values(one.stats().mostWatches))]).to.deep.equal([1]);
      const open = () => Object.values(one.stats().watches);
      await waitUntil(() => open().every((count) => count === 1), {
        what: 'all watches to be open again',
        deadlineMs: 40_000,
      });
    }
    // Its own memory of versions begins anew with the API server, so one list for each is what it asks for itself.
    expect(follower.lists).to.be.at.most(1 + KILLS);
    await processesAreWell();
  });

  it('waits for a kind that is removed, and follows it when it is installed again (WP-13)', async () => {
    const path =
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/namespacedexecutors.config.ratify.sh';
    await controlPlane.admin.call(`DELETE ${path}`);
    await waitUntil(() => follower.health.phase === 'missing', {
      what: 'the watch to find the kind missing',
    });
    await processesAreWell();
    for (const file of PROJECT_CRDS) await controlPlane.apply(file);
    const { metadata } = await fleet.apply(ref('anew'));
    await stage.apply('anew');
    await reported('anew', metadata.uid, metadata.generation);
    await follower.equalsServer();
    expect(Object.values(proxy.stats().mostWatches).every((most) => most === 1)).to.equal(true);
  });

  it('does no harm in a namespace that is being deleted, and lets the writers live (WP-13)', async () => {
    const path = `/api/v1/namespaces/${fleet.namespace}`;
    await controlPlane.admin.call(`PATCH ${path}`, { metadata: { finalizers: ['example.com/held'] } });
    const cluster = refOf('cluster');
    // Held by something in it, the namespace stays as it is being deleted: nothing can be made in it any more.
    const held = { metadata: { name: 'held', finalizers: ['example.com/held'] } };
    await controlPlane.admin.call(`POST ${path}/configmaps`, held);
    await controlPlane.admin.call(`DELETE ${path}`);
    await waitUntil(
      async () => (await controlPlane.admin.call(`GET ${path}`)).status?.['phase'] === 'Terminating',
      { what: 'the namespace to be terminating' },
    );
    const since = await controlPlane.audit.mark();
    await fleet.apply(cluster);
    await waitUntil(async () => (await fleet.writes({ since, code: 403 })).length >= 2, {
      what: 'writes that are refused',
    });
    await processesAreWell();
    for (const pod of pods) expect(await fleet.report(pod, cluster)).to.equal(undefined);
    await fleet.remove(cluster);
    const patch = { metadata: { finalizers: null } };
    await controlPlane.admin.call(`PATCH ${path}/configmaps/held`, patch);
  });
});
