import type { ExecutorStatus } from '@executor-status/api';
import { expect } from 'chai';
import type { Pod } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { gist } from '../support/status-story.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { refOf } from './executor-manifest.ts';

const PODS = [1, 2, 3, 4, 5];

describe('a rollout of five good pods on a real API server', function () {
  this.timeout(120_000);
  const controlPlane = useControlPlane();

  for (const detail of ['full', 'failing']) {
    it(`AG-5, S6, FB-8: shows no failure and no 0/0, and costs few writes, with --detail=${detail}`, async () => {
      await using stage = await AggregatorStage.install(controlPlane());
      const ref = refOf(`rolled-out-${detail}`);
      await stage.apply(ref);
      const old = await stage.makePods(...PODS.map((number) => `old-${number}`));
      await Promise.all(old.map((pod) => stage.report(pod, ref)));
      await stage.start(`--detail=${detail}`);
      await stage.ready(ref, 'True/BuildsInAllPods');
      const since = await controlPlane().audit.mark();

      const samples: ExecutorStatus[] = [];
      let over = false;
      const sampling = (async () => {
        while (!over) {
          samples.push((await stage.executor(ref)).status ?? { succeeded: false });
          await pause(100);
        }
      })();
      const fresh: Pod[] = [];
      for (const [at, gone] of old.entries()) {
        const pod = await stage.makePod({ name: `new-${at}` });
        fresh.push(pod);
        await pause(700);
        await stage.report(pod, ref);
        await controlPlane().removePod(gone);
      }
      const uids = fresh.map(({ uid }) => uid);
      if (detail === 'full') {
        await stage.shows(
          ref,
          ({ byPod = [] }) => byPod.every(({ podUID }) => uids.includes(podUID ?? '')),
          70_000,
        );
      }
      // What came before is seen before.
      const later = refOf(`${ref.name}-later`);
      await stage.apply(later);
      await Promise.all(fresh.map((pod) => stage.report(pod, later)));
      await stage.ready(later, 'True/BuildsInAllPods');
      over = true;
      await sampling;

      expect(samples.length).to.be.greaterThan(30);
      expect(samples.every(({ succeeded }) => succeeded)).to.equal(true);
      expect(samples.filter((status) => /\b0\/0\b/.test(JSON.stringify(status)))).to.deep.equal([]);
      const readies = samples.map((status) => gist(status).ready);
      expect(readies.filter((ready, at) => at > 0 && ready !== readies[at - 1]).length).to.be.at.most(2);
      const writes = await stage.writes({ since, name: ref.name });
      if (detail === 'failing') expect(writes).to.deep.equal([]);
      else expect(writes.length).to.be.within(1, 6);
    });
  }
});

/** The rollout itself takes time: nothing is waited for. */
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
