import type { ExecutorStatus } from '@executor-status/api';
import { expect } from 'chai';
import type { AuditMark, Pod } from '../support/control-plane.ts';
import { podNameOf } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { waitUntil } from '../support/wait-until.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { eventsOf } from './events-of.ts';
import { refOf } from './executor-manifest.ts';

const QUICK = ['--success-hold=100ms', '--transition=50ms', '--progress=50ms', '--resync=500ms'];
const SHORT_LEASE = ['--lease-duration=3s', '--renew-deadline=2s', '--retry-period=300ms'];
const HOUR_MS = 3_600_000;

const contention = ({ conditions = [] }: ExecutorStatus) =>
  conditions.find(({ type, status }) => type === 'StatusContended' && status === 'True')?.message ?? '';

describe('installations of the status-aggregator', function () {
  this.timeout(180_000);
  const controlPlane = useControlPlane();

  it('HA-6, B26: in two namespaces say of each other that they contend, and write seldom', async () => {
    const ref = refOf('fought-over');
    await using one = await AggregatorStage.install(controlPlane());
    await using other = await AggregatorStage.install(controlPlane());
    await one.apply(ref);
    for (const stage of [one, other]) {
      await stage.report(await stage.makePod({ name: 'ratify-1' }), ref);
      await stage.start(...QUICK, '--repair=200ms', '--contended=5s');
    }
    for (const [stage, foe] of [
      [one, other],
      [other, one],
    ] as const) {
      await one.shows(
        ref,
        (status) => contention(status).includes(`status-aggregator/${foe.namespace}`),
        60_000,
      );
      await waitUntil(async () => (await contentions(stage)).length === 1, { what: 'an Event' });
    }
    const since = await controlPlane().audit.mark();
    await waitUntil(async () => (await one.writes({ since, name: ref.name, code: 200 })).length >= 3, {
      what: 'three more writes',
      deadlineMs: 60_000,
    });
    for (const stage of [one, other]) {
      const times = (await stage.writes({ since, name: ref.name, code: 200 })).map(({ at }) => at);
      const gaps = times.slice(1).map((at, before) => at - (times[before] ?? 0));
      // What is five seconds apart where it is sent may be a little less so where it arrives.
      for (const gap of gaps) expect(gap).to.be.at.least(4500);
    }

    async function contentions(stage: AggregatorStage) {
      const events = await eventsOf(controlPlane(), ref);
      const own = stage === one ? other.namespace : one.namespace;
      return events.filter(({ reason, note }) => reason === 'StatusContended' && note.includes(own));
    }
  });

  describe('in one namespace', () => {
    const ref = refOf('rolled');
    let stage: AggregatorStage;
    let pod: Pod;
    beforeEach(async () => {
      stage = await AggregatorStage.install(controlPlane());
      pod = await stage.makePod({ name: 'ratify-1' });
      await stage.apply(ref);
      await stage.report(pod, ref);
    });
    afterEach(() => stage[Symbol.asyncDispose]());

    const writers = async (since?: AuditMark) =>
      (await stage.writes({ code: 200, name: ref.name, ...(since !== undefined && { since }) })).map(
        podNameOf,
      );

    it('HA-6, B26: of two versions with different texts have one writer at any time, and do not fight', async () => {
      const versions = ['--detail=full', '--detail=full', '--detail=failing', '--detail=failing'];
      const [first, second] = [
        await stage.start(...QUICK, '--detail=full'),
        await stage.start(...QUICK, '--detail=full'),
      ];
      await stage.shows(ref, ({ builds }) => builds === '1/1');
      // As a Deployment does: a new one comes, an old one goes, twice.
      await stage.start(...QUICK, '--detail=failing');
      await stage.report(pod, ref, { error: 'one' });
      await stage.ready(ref, 'False/PodsFailed');
      await first.stop();
      await stage.start(...QUICK, '--detail=failing');
      await stage.report(pod, ref);
      await stage.ready(ref, 'True/BuildsInAllPods');
      await second.stop();
      await stage.shows(ref, ({ builds }) => builds === '');
      const order = await writers();
      const blocks = order.filter((name, at) => name !== order[at - 1]);
      expect(blocks, 'each writes in one stretch').to.deep.equal([...new Set(order)]);
      expect(blocks.length).to.be.within(2, versions.length);
      expect(order.length, 'writes').to.be.at.most(8);
      expect(contention(await stage.shows(ref, () => true))).to.equal('');
    });

    it('ST-3, HA-2: elect one leader and keep time by themselves, with clocks two hours apart', async () => {
      const start = (offMs: number) =>
        stage.startWith(stage.importing(clockOff(offMs)), ...QUICK, ...SHORT_LEASE, '--grace=3s');
      const [early, late] = [await start(-HOUR_MS), await start(HOUR_MS)];
      await stage.ready(ref, 'True/BuildsInAllPods');
      const both = [early, late];
      const leaders = () => both.filter((one) => one.logs().some(({ msg }) => msg === 'leads from now on'));
      expect(leaders()).to.have.lengthOf(1);
      // Two leases later there is still no other.
      await stage.report(pod, ref, { error: 'no key' });
      await stage.ready(ref, 'False/PodsFailed');
      await stage.report(pod, ref);
      await stage.ready(ref, 'True/BuildsInAllPods');
      const silent = await stage.makePod({ name: 'ratify-2' });
      const within = await stage.shows(ref, ({ podCounts }) => podCounts?.missing === 1);
      expect(
        within.conditions?.map(({ type }) => type),
        'its grace has begun',
      ).not.to.include('PodsMissing');
      await stage.ready(ref, 'False/PodsNotReporting');
      expect(leaders()).to.have.lengthOf(1);
      await controlPlane().removePod(silent);
      const [leader] = leaders();
      leader?.kill('SIGKILL');
      await waitUntil(() => leaders().length === 2, { what: 'the other to lead', deadlineMs: 20_000 });
      await stage.ready(ref, 'True/BuildsInAllPods');
    });
  });
});

/** A wall clock that is off by so many milliseconds; the monotonic clock is as it is. */
function clockOff(offMs: number): string {
  return `
    const now = Date.now.bind(Date), Real = Date;
    globalThis.Date = class extends Real {
      constructor(...args) { if (args.length > 0) super(...args); else super(now() + ${offMs}); }
      static now() { return now() + ${offMs}; }
    };
    const origin = performance.timeOrigin + ${offMs};
    Object.defineProperty(performance, 'timeOrigin', { get: () => origin });
  `;
}
