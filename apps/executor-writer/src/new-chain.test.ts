import { setImmediate } from 'node:timers/promises';
import { newExecutorPodStatus } from '@executor-status/api';
import { WatchHealth } from '@executor-status/kube';
import { createLog, createMetrics, loadConfig } from '@executor-status/process';
import type { Subscription } from 'rxjs';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { MemoryApi, refusal } from '../test/memory-api.ts';
import { CONFIG_SCHEMA } from './config.ts';
import { newChain } from './new-chain.ts';
import { OwnReports } from './own-reports.ts';
import { runWriter } from './writer.ts';

describe('newChain', () => {
  it('removes what an earlier writer left about a kind that is not installed any more (GC-2)', async () => {
    const pod = { namespace: 'ratify', name: 'ratify-0', uid: 'pod-1' };
    const api = new MemoryApi();
    api.put(newExecutorPodStatus(pod, { kind: 'NamespacedExecutor', namespace: 'shop', name: 'x' }));
    api.open = async () => {
      // Sleeps take no time here: without a turn of the event loop, nothing else would ever run.
      await setImmediate();
      throw refusal({ verb: 'watch', code: 404, missing: 'kind' });
    };
    const own = new OwnReports(api, pod);
    await own.list();
    const stop = new AbortController();
    const watch = (kind: string) => new WatchHealth(kind, api.clock);
    const chain = newChain(
      {
        client: api,
        source: {
          round: () => ({ build: () => Promise.reject(new Error('nothing is built')) }),
          judge: () => [],
        },
        config: loadConfig({ schema: CONFIG_SCHEMA, argv: [], env: {}, readFile: () => '' }),
        writerVersion: '1.2.3',
        watches: { Executor: watch('executors'), NamespacedExecutor: watch('namespacedexecutors') },
        today: () => new Date(),
        random: () => 0.5,
        log: createLog({ level: 'error', write: () => undefined }),
        metrics: createMetrics([]),
        signal: stop.signal,
      },
      pod,
      own,
    );
    const running: Subscription = runWriter(chain).subscribe();
    try {
      await waitUntil(() => api.reports.size === 0, { what: 'the removal' });
    } finally {
      running.unsubscribe();
    }
  });
});
