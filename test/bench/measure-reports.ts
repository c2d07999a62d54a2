import { REPORT_PLURAL } from '@executor-status/api';
import { type Aggregation, rest } from './aggregation.ts';
import type { LoadJob } from './load-job.ts';
import { cpuSecondsOf, usageOf } from './process-usage.ts';
import { quantile, shownDelays } from './shown-delays.ts';
import { allBuilt, allCounted, type Right, sortWrites, untilRight } from './status-writes.ts';

const DEADLINE_MS = 60_000;
const REPORT_WRITES = { resource: REPORT_PLURAL, subresource: 'status', verb: 'patch' };

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
  const reports = await cluster.controlPlane.audit.entries({ ...REPORT_WRITES, since });
  const lastReport = reports.at(-1)?.at ?? 0;
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
  const delays = shownDelays({ reports, statuses: accepted }, targets);
  figures.add(`${name}.shown-p99`, quantile(delays, 0.99) / 1000, 's');
  figures.add(`${name}.cpu`, cpuRight - cpuBefore, 's');
  figures.add(`${name}.cpu-after`, (cpuAfter - cpuRight) / times.restS, 's/s');
  figures.add(`${name}.peak-rss`, usageOf(pid).peakRssMiB, 'MiB');
  figures.add(`${name}.status-size`, largestBytes / 1000, 'kB');
}
