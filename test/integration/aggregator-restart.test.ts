import { EXECUTOR_GROUP, type ExecutorRef } from '@executor-status/api';
import { expect } from 'chai';
import type { ReportFields } from '../support/builders.ts';
import type { Pod } from '../support/control-plane.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';
import { AggregatorStage } from './aggregator-stage.ts';
import { executorManifest, refOf } from './executor-manifest.ts';
import { postReport } from './post-report.ts';

/** How many reports it finds; the bench does it with 25,000. */
const REPORTS = Number(process.env['RESTART_REPORTS'] ?? 500);
const EXECUTORS = 20;
const PODS = Math.ceil(REPORTS / EXECUTORS);
/** How many requests of the test are open at once. */
const AT_ONCE = 50;
/** Each pod and each report is some requests of the test. */
const MAKING_MS = 60_000 + 20 * REPORTS;

const QUICK = ['--success-hold=100ms', '--transition=50ms', '--progress=100ms', '--grace=1h'];

describe(`a status-aggregator that is started again over ${REPORTS} reports`, function () {
  this.timeout(120_000 + MAKING_MS);
  const controlPlane = useControlPlane();

  it('writes the one status that has changed meanwhile, once (AG-5, HA-3, J4)', async () => {
    await using stage = await AggregatorStage.install(controlPlane());
    const pods = await inTurns(PODS, (at) => stage.makePod({ name: `ratify-${at}` }));
    const report = (pod: Pod, about: About, fields: ReportFields = {}) =>
      postReport(controlPlane().admin, pod, { ...about, executorGeneration: 1, ...fields });
    const make = async (name: string): Promise<About> => {
      const executorRef = refOf(name, stage.namespace);
      const [made] = await controlPlane().apply([executorManifest(executorRef, EXECUTOR_GROUP)]);
      const about = { executorRef, executorUID: made?.metadata.uid ?? '' };
      await inTurns(PODS, (at) => report(podAt(pods, at), about));
      return about;
    };
    const all: About[] = [];
    for (let at = 0; at < EXECUTORS; at++) all.push(await make(`kept-${at}`));

    const first = await stage.start(...QUICK);
    const done = ({ builds }: { readonly builds?: string }) => builds === `${PODS}/${PODS}`;
    for (const { executorRef } of all) await stage.shows(executorRef, done, MAKING_MS);
    for (const { executorRef } of all) await stage.ready(executorRef, 'True/BuildsInAllPods');
    await first.stop();

    const [changed] = all;
    if (changed === undefined) throw new Error('there is one');
    for (const at of [0, 1, 2]) await report(podAt(pods, at), changed, { error: 'no key' });
    const since = await controlPlane().audit.mark();
    await stage.start(...QUICK);
    const failed = await stage.ready(changed.executorRef, 'False/PodsFailed', MAKING_MS);
    expect(failed.podCounts).to.include({ failed: 3, succeeded: PODS - 3 });
    // What comes after all others is looked at after them.
    const last = await make('last');
    await stage.shows(last.executorRef, done);
    const written = (await stage.writes({ since })).map(({ name }) => name);
    expect(written.filter((name) => name !== 'last')).to.deep.equal([changed.executorRef.name]);
  });
});

/** What a report is about. */
interface About {
  readonly executorRef: ExecutorRef;
  readonly executorUID: string;
}

function podAt(pods: readonly Pod[], at: number): Pod {
  const pod = pods[at];
  if (pod === undefined) throw new Error(`there is no pod ${at}`);
  return pod;
}

/** Does something for each number below `count`, some of them at a time; gives what came of it, in order. */
async function inTurns<T>(count: number, act: (at: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => from + at);
    done.push(...(await Promise.all(numbers.map(act))));
  }
  return done;
}
