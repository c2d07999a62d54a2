import { REPORT_PLURAL } from '@executor-status/api';
import { type Aggregation, rest } from './aggregation.ts';
import type { LoadJob } from './load-job.ts';
import { cpuSecondsOf } from './process-usage.ts';
import { allBuilt, allCounted, type Right, sortWrites, untilRight } from './status-writes.ts';

const DEADLINE_MS = 60_000;

/** Has reports written, and measures what that makes of the statuses and of the aggregator, until a while after all is right. */
export async function measureReports(
  aggregation: Aggregation,
  work: 'create' | 'burst',
  job: LoadJob | (() => Promise<LoadJob>),
): Promise<void> {
  const { cluster, size, figures, leader, times } = aggregation;
  const name = aggregation.label(work);
  const { pid } = leader.app;
  const since = await cluster.controlPlane.audit.mark();
  const cpuBefore = cpuSecondsOf(pid);
  const load = await cluster.load.run(typeof job === 'function' ? await job() : job);
  const lastReport = await lastReportAt(aggregation, since);
  const { targets } = aggregation;
  const within = async (isRight: Right['isRight']) =>
    await untilRight({ cluster, targets, isRight, deadlineMs: DEADLINE_MS, since }).catch(
      (error: unknown) => {
        console.error(`${name}: ${String(error)}`);
        return lastReport + DEADLINE_MS;
      },
    );
  const right = await within(allCounted(size.pods));
  const cpuRight = cpuSecondsOf(pid);
  await rest(times.restS);
  const cpuAfter = cpuSecondsOf(pid);
  const stated = await within(allBuilt(size.pods));
  const { accepted, conflicts, refused, largestBytes } = sortWrites(await cluster.statusWrites({ since }));
  figures.add(`${name}.load`, load.requests / ((load.endedAt - load.startedAt) / 1000), 'requests/s');
  figures.add(`${name}.writes`, accepted.length);
  figures.add(`${name}.conflicts`, conflicts);
  figures.add(`${name}.refused`, refused.length);
  figures.add(`${name}.lag`, Math.max(0, right - lastReport) / 1000, 's');
  figures.add(`${name}.verdict-lag`, Math.max(0, stated - lastReport) / 1000, 's');
  figures.add(`${name}.cpu`, cpuRight - cpuBefore, 's');
  figures.add(`${name}.cpu-after`, (cpuAfter - cpuRight) / times.restS, 's/s');
  figures.add(`${name}.status-size`, largestBytes / 1000, 'kB');
}

async function lastReportAt(
  { cluster }: Aggregation,
  since: Awaited<ReturnType<Aggregation['cluster']['controlPlane']['audit']['mark']>>,
): Promise<number> {
  const reports = await cluster.controlPlane.audit.entries({ resource: REPORT_PLURAL, verb: 'patch', since });
  return reports.at(-1)?.at ?? 0;
}
