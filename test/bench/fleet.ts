import { readFile } from 'node:fs/promises';
import { EXECUTOR_GROUP, EXECUTOR_PLURALS, EXECUTOR_VERSION, REPORT_PLURAL } from '@executor-status/api';
import { type AuditEntry, type AuditMark, podNameOf } from '../support/control-plane.ts';
import { rest } from './aggregation.ts';
import type { Bundles } from './bench-bundles.ts';
import { BenchCluster, WRITER_USER, WRITES } from './bench-cluster.ts';
import { BAD_FOLDER, type FleetSize, FleetWriters } from './fleet-writers.ts';
import { isFrom } from './lease-writes.ts';
import type { LoadPod, Target } from './load-job.ts';
import type { Figures } from './measurement.ts';
import { readAccess } from './read-access.ts';
import {
  allBuilt,
  isAccepted,
  type Right,
  reportStatusOf,
  sortWrites,
  statusOf,
  untilRight,
} from './status-writes.ts';
import { METADATA_ONLY, WatchMeter } from './watch-meter.ts';

const EXECUTOR = 'bench-fleet';
const EXECUTORS = `/apis/${EXECUTOR_GROUP}/${EXECUTOR_VERSION}/${EXECUTOR_PLURALS.Executor}`;
const STAND_INS = 50;
const DEADLINE_MS = 180_000;

/** What a fleet is made of. */
export interface FleetPlan extends FleetSize {
  readonly bundles: Bundles;
  readonly restS: number;
}

interface Fleet {
  readonly cluster: BenchCluster;
  readonly plan: FleetPlan;
  readonly figures: Figures;
  readonly pods: readonly LoadPod[];
}

/** Real writers: all start at once, a spec is edited so that some pods fail, and edited back beside stand-ins of Ratify. */
export async function benchFleet(plan: FleetPlan, figures: Figures): Promise<void> {
  await using cluster = await BenchCluster.start();
  await cluster.applyExecutors([EXECUTOR]);
  await cluster.makePods(plan.writers);
  const { pods = [] } = await cluster.load.run({ kind: 'tokens' });
  await cluster.startAggregator(plan.bundles.aggregator);
  const startedAt = Date.now();
  const { writer: program } = plan.bundles;
  const { processes } = plan;
  await using writers = await FleetWriters.start(cluster, pods, { program, processes });
  const fleet = { cluster, plan, figures, pods };
  await Promise.race([measureStart(fleet, startedAt), writers.ended()]);
  const access = readAccess(await readFile(cluster.controlPlane.kubeconfig, 'utf8'));
  using meter = new WatchMeter(access, EXECUTORS, METADATA_ONLY);
  await measureEdit(fleet, meter);
  const standIns = Array.from({ length: STAND_INS }, () => new WatchMeter(access, EXECUTORS));
  await measureStandIns(fleet, standIns);
  for (const standIn of standIns) standIn[Symbol.dispose]();
}

async function measureStart({ cluster, plan, figures, pods }: Fleet, startedAt: number): Promise<void> {
  const { audit } = cluster.controlPlane;
  const { metadata } = await cluster.executor(EXECUTOR);
  const target = { name: EXECUTOR, uid: metadata.uid, generation: metadata.generation ?? 0 };
  const isRight = allBuilt(plan.writers);
  await untilRight({ cluster, targets: [target], isRight, deadlineMs: DEADLINE_MS });
  const reports = await audit.entries({ user: WRITER_USER, resource: REPORT_PLURAL, subresource: 'status' });
  const first = firstPerPod(reports);
  const waits = [...first.values()].map((at) => at - startedAt).toSorted((a, b) => a - b);
  const lastS = (waits.at(-1) ?? 0) / 1000;
  const calls = await audit.entries({ user: WRITER_USER });
  figures.add('fleet.start.p99', (waits[Math.floor(waits.length * 0.99)] ?? Number.NaN) / 1000, 's');
  figures.add('fleet.start.calls', calls.length / pods.length / lastS, 'requests/s');
  figures.add('fleet.start.lost', pods.length - first.size);
  figures.add('fleet.start.throttled', calls.filter(({ code }) => code === 429).length);
}

/** When the API server got the first report of each pod, by pod. */
function firstPerPod(reports: readonly AuditEntry[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const report of reports) {
    const pod = podNameOf(report);
    if (isAccepted(report) && !first.has(pod)) first.set(pod, report.at);
  }
  return first;
}

async function measureEdit(fleet: Fleet, meter: WatchMeter): Promise<void> {
  const { cluster, plan, figures } = fleet;
  const { processes, writers } = plan;
  const isRight: Right['isRight'] = ({ podCounts, observedGeneration }, { generation }) =>
    observedGeneration === generation && podCounts?.failed === processes && podCounts.upToDate === writers;
  meter.reset();
  const since = await edit(fleet, { files: [BAD_FOLDER] }, isRight);
  const { accepted, conflicts } = sortWrites(await cluster.statusWrites({ since }));
  const reports = await cluster.controlPlane.audit.entries({ user: WRITER_USER, verb: WRITES, since });
  const failed = reports.find(
    (report) => report.subresource === 'status' && reportStatusOf(report).succeeded === false,
  );
  const shown = accepted.find((write) => (statusOf(write).podCounts?.failed ?? 0) > 0);
  figures.add('fleet.edit.writes', accepted.length);
  figures.add('fleet.edit.conflicts', conflicts);
  figures.add(
    'fleet.edit.first-failure',
    ((shown?.at ?? Number.NaN) - (failed?.at ?? Number.NaN)) / 1000,
    's',
  );
  figures.add('fleet.edit.watch-traffic', meter.bytes / meter.events / 1000, 'kB');
  // What an overloaded API server turns away is no write, and comes again when the server said.
  const stored = reports.filter(({ code }) => code !== 429);
  figures.add('fleet.edit.report-writes', stored.length / plan.writers, 'per writer');
  figures.add('fleet.edit.throttled', reports.length - stored.length);
  figures.add('fleet.edit.foreign-writes', foreign(reports, fleet.pods));
}

/** Writes to reports of another pod, or to anything that is no report. */
function foreign(writes: readonly AuditEntry[], pods: readonly LoadPod[]): number {
  const byName = new Map(pods.map((pod) => [pod.name.replaceAll('-', '--'), pod]));
  return writes.filter((write) => {
    const owner = byName.get(write.name.slice(0, write.name.lastIndexOf('-bench')));
    return write.resource !== REPORT_PLURAL || owner === undefined || !isFrom(write, owner.name);
  }).length;
}

async function measureStandIns(fleet: Fleet, standIns: readonly WatchMeter[]): Promise<void> {
  await rest(fleet.plan.restS);
  for (const standIn of standIns) standIn.reset();
  await edit(fleet, { files: ['/nonexistent-too'] }, allBuilt(fleet.plan.writers));
  const rebuilds = Math.max(...standIns.map(({ events }) => events));
  fleet.figures.add('fleet.stand-in.rebuilds', rebuilds - 1, 'per pod');
}

/** Edits the spec and waits until its status is right, and a while longer. Returns the mark from before. */
async function edit(
  { cluster, plan }: Fleet,
  spec: { readonly files: readonly string[] },
  isRight: Right['isRight'],
): Promise<AuditMark> {
  const since = await cluster.controlPlane.audit.mark();
  const targets: readonly Target[] = await cluster.applyExecutors([EXECUTOR], spec);
  await untilRight({ cluster, targets, isRight, deadlineMs: DEADLINE_MS, since });
  await rest(plan.restS);
  return since;
}
