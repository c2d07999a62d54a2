// An aggregator with the faults that its name is asked for: `write-per-event` or `unbounded-list`. The bench must find them.
import { EXECUTOR_GROUP, type ExecutorPodStatus } from '@executor-status/api';
import {
  createKubeClient,
  executorResource,
  inClusterCredentials,
  type KubeClient,
  reportResource,
  watchResource,
} from '@executor-status/kube';
import { concatMap, filter, map, mergeMap } from 'rxjs';

type Fault = 'write-per-event' | 'unbounded-list';

const fault = process.env['FAULT'] as Fault;
const directory =
  (process.argv.find((flag) => flag.startsWith('--credentials-dir=')) ?? '').split('=')[1] ?? '';
const client = createKubeClient({
  credentials: inClusterCredentials({ directory, env: process.env }),
  userAgent: 'broken-aggregator',
  qps: 10_000,
  burst: 10_000,
});
const byExecutor = new Map<string, Map<string, ExecutorPodStatus>>();
process.stdout.write(`${JSON.stringify({ msg: 'leads from now on' })}\n`);
watchResource<ExecutorPodStatus>(client, reportResource(), {
  namespace: process.env['POD_NAMESPACE'] ?? '',
  random: Math.random,
  project: (raw) => raw as ExecutorPodStatus,
})
  .pipe(
    mergeMap((event) => (event.kind === 'synced' ? event.objects : [event.object])),
    filter(({ status }) => status !== undefined),
    map((report) => {
      const { name } = report.spec.executorRef;
      const reports = byExecutor.get(name) ?? new Map<string, ExecutorPodStatus>();
      byExecutor.set(name, reports.set(report.metadata.name, report));
      return name;
    }),
    concatMap((name) => write(client, name, [...(byExecutor.get(name)?.values() ?? [])])),
  )
  .subscribe();

/** Once for every event; whether it makes sense is nobody's business. */
async function write(to: KubeClient, name: string, reports: readonly ExecutorPodStatus[]): Promise<void> {
  const resource = executorResource('Executor', EXECUTOR_GROUP);
  const object = {
    apiVersion: `${EXECUTOR_GROUP}/v2alpha1`,
    kind: 'Executor',
    metadata: { name },
    status: statusOf(reports),
  };
  const options = { fieldManager: 'broken', subresource: 'status' } as const;
  await to.apply(resource, object, options).catch(() => {});
}

function statusOf(reports: readonly ExecutorPodStatus[]) {
  const statuses = reports.flatMap(({ status }) => status ?? []);
  const newest = Math.max(...statuses.map(({ executorGeneration }) => executorGeneration));
  const current = statuses.filter(({ executorGeneration }) => executorGeneration === newest);
  const failed = current.filter(({ succeeded }) => !succeeded).length;
  const succeeded = current.length - failed;
  const byPod = statuses.map(({ id, executorGeneration, succeeded: built, error = '' }) => ({
    id,
    succeeded: built,
    observedGeneration: executorGeneration,
    error: fault === 'unbounded-list' ? error : error.slice(0, 50),
  }));
  return {
    succeeded: failed === 0,
    observedGeneration: newest,
    podCounts: { failed, succeeded, upToDate: current.length },
    byPod: fault === 'unbounded-list' ? byPod : byPod.slice(0, 20),
  };
}
