import {
  type Executor,
  type ExecutorKind,
  newExecutorPodStatus,
  type PodIdentity,
  reportName,
} from '@executor-status/api';
import { type WatchEvent, WorkQueue } from '@executor-status/controller';
import type { Outcome } from '@executor-status/executor';
import { WatchHealth } from '@executor-status/kube';
import { createLog, createMetrics } from '@executor-status/process';
import { expect } from 'chai';
import { defer, NEVER, Subject, type Subscription } from 'rxjs';
import { closedList } from '../../../test/support/closed-list.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { MemoryApi } from '../test/memory-api.ts';
import type { BuildTrigger } from './build-schedule.ts';
import { type WatchedExecutor, watchedExecutor } from './executor-sets.ts';
import { newChain } from './new-chain.ts';
import { OwnReports } from './own-reports.ts';
import { WatchedFiles } from './watched-files.ts';
import { runWriter, type WriterChain } from './writer.ts';

describe('runWriter', () => {
  const pod: PodIdentity = { namespace: 'ratify', name: 'ratify-0', uid: 'pod-1' };
  const nameOf = (name: string) => reportName(pod.name, { kind: 'Executor', name });
  const running: Subscription[] = [];
  afterEach(() => {
    for (const subscription of running.splice(0)) subscription.unsubscribe();
  });

  it('decides nothing before the first complete list of a kind (design rule 6)', async () => {
    const writer = start();
    writer.api.put(newExecutorPodStatus(pod, { kind: 'Executor', name: 'old' }));
    await writer.own.list();
    writer.say('NamespacedExecutor', { kind: 'synced', objects: [] });
    await writer.rest();
    expect([...writer.api.reports.keys()]).to.deep.equal([nameOf('old')]);
  });

  it('removes at its start what it had reported about executors that are gone (WP-12, GC-2)', async () => {
    const writer = start();
    writer.api.put(newExecutorPodStatus(pod, { kind: 'Executor', name: 'old' }));
    await writer.own.list();
    writer.say('Executor', { kind: 'synced', objects: [] });
    await writer.until(() => writer.api.reports.size === 0);
  });

  it('builds and reports what is there, and what is new', async () => {
    const writer = start();
    writer.say('Executor', { kind: 'synced', objects: [writer.object('a')] });
    await writer.until(() => writer.status('a')?.succeeded === true);
    writer.say('Executor', { kind: 'applied', object: writer.object('b') });
    await writer.until(() => writer.status('b')?.succeeded === true);
    expect(writer.built).to.deep.equal(['a/1', 'b/1']);
  });

  it('looks at nothing when only the rest of an executor has changed (FB-1)', async () => {
    const writer = start();
    writer.say('Executor', { kind: 'synced', objects: [writer.object('a')] });
    await writer.until(() => writer.status('a') !== undefined);
    writer.api.calls.length = 0;
    for (let at = 0; at < 100; at++) writer.say('Executor', { kind: 'applied', object: writer.object('a') });
    await writer.rest();
    expect(writer.built).to.deep.equal(['a/1']);
    expect(writer.api.calls).to.deep.equal([]);
  });

  it('collapses a burst of edits into at most two builds (RP-6)', async () => {
    const writer = start();
    writer.say('Executor', { kind: 'synced', objects: [writer.object('a')] });
    for (let generation = 2; generation <= 1000; generation++) {
      writer.say('Executor', { kind: 'applied', object: writer.object('a', { generation }) });
    }
    await writer.until(() => writer.status('a')?.executorGeneration === 1000);
    expect(writer.built.length).to.be.at.most(2);
  });

  it('removes the report of an executor that is deleted while another one of its set hangs (S3)', async () => {
    const writer = start();
    writer.say('Executor', { kind: 'synced', objects: [writer.object('a')] });
    await writer.until(() => writer.status('a') !== undefined);
    writer.hang.add('b');
    writer.say('Executor', { kind: 'applied', object: writer.object('b') });
    writer.say('Executor', { kind: 'deleted', object: writer.object('a') });
    await writer.until(() => writer.api.reports.size === 0);
  });

  it('looks at its reports now and then, and makes one again that was deleted (RP-10)', async () => {
    const writer = start({ resyncMs: 5 });
    writer.say('Executor', { kind: 'synced', objects: [writer.object('a')] });
    await writer.until(() => writer.status('a') !== undefined);
    writer.api.reports.clear();
    await writer.until(() => writer.status('a') !== undefined);
    expect(writer.built).to.deep.equal(['a/1']);
  });

  it('builds a failure again that may pass (WP-6)', async () => {
    const writer = start({ retryBaseMs: 1 });
    writer.outcomes.push(failure(), failure());
    writer.say('Executor', { kind: 'synced', objects: [writer.object('a')] });
    await writer.until(() => writer.status('a')?.succeeded === true);
    expect(writer.built).to.deep.equal(['a/1', 'a/1', 'a/1']);
    expect(writer.status('a')).to.have.property('recoveredAt');
  });

  it('looks at files once more, and not once for each time that it wanted to, after a look that hung', async () => {
    const looks: (() => void)[] = [];
    let beats = 0;
    const files = new WatchedFiles(async () => {
      await new Promise<void>((resolve) => looks.push(resolve));
      return { mark: 'same' };
    });
    const following = files.follow('a', ['/f'], Date.parse('2100-01-01'));
    looks[0]?.();
    await following;
    const random = () => ((beats += 1), 0.5);
    const writer = start({ filePollMs: 1 }, { files, random });
    await writer.until(() => looks.length === 2 && beats > 40);
    looks[1]?.();
    for (let turn = 0; turn < 400; turn++) await Promise.resolve();
    expect(looks).to.have.length(2);
  });

  it('is woken by a closed list of things, and by nothing else (C3)', () => {
    const triggers = {
      change: true,
      retry: true,
      recheck: true,
      expiry: true,
      file: true,
    } satisfies Record<BuildTrigger, true>;
    expect(Object.keys(triggers)).to.have.length(5);
    const inputs: string[] = [];
    const input = (name: string) =>
      defer(() => {
        inputs.push(name);
        return NEVER;
      });
    const beats: number[] = [];
    const closed = closedList<WriterChain>({
      watch: (kind: ExecutorKind) => input(`watch of ${kind}`),
      rounds: { verdicts: input('new verdicts'), wakes: input('rounds that want another') },
      buildTimers: { due: input('alarms for builds') },
      reportTimers: { due: input('alarms for reports') },
      filePollMs: 3_600_000,
      resyncMs: 7_200_000,
      // Asked for once when a beat begins.
      random: () => (beats.push(0), 0.5),
      report: () => Promise.reject(new Error('nothing is asked for')),
      now: () => 0,
      sets: {},
      own: {},
      files: {},
      concurrency: 1,
      buildQueue: new WorkQueue(),
      reportQueue: new WorkQueue(),
    });
    running.push(runWriter(closed).subscribe());
    expect(inputs).to.have.members([
      'watch of Executor',
      'watch of NamespacedExecutor',
      'new verdicts',
      'rounds that want another',
      'alarms for builds',
      'alarms for reports',
    ]);
    // That of the files and that of the resync.
    expect(beats).to.have.length(2);
  });

  function start(settings: Partial<typeof SETTINGS> = {}, parts: Partial<WriterChain> = {}) {
    const api = new MemoryApi();
    const own = new OwnReports(api, pod);
    const executors = new Map<string, Executor>();
    const built: string[] = [];
    const hang = new Set<string>();
    const outcomes: Outcome[] = [];
    const stop = new AbortController();
    const chain = newChain(
      {
        client: Object.assign(api, { get: getFrom(api, executors) }),
        source: {
          round: () => ({
            build: async ({ metadata }) => {
              built.push(`${metadata.name}/${metadata.generation}`);
              if (hang.has(metadata.name)) await new Promise(() => {});
              return outcomes.shift() ?? success();
            },
          }),
          judge: (set) => set.map(({ outcome }) => outcome),
        },
        config: { ...SETTINGS, ...settings },
        writerVersion: '0.1.0',
        watches: {
          Executor: new WatchHealth('executors', api.clock),
          NamespacedExecutor: new WatchHealth('namespacedexecutors', api.clock),
        },
        today: () => new Date('2026-08-06T10:00:00Z'),
        random: () => 0.5,
        log: createLog({ level: 'error', write: () => {} }),
        metrics: createMetrics(),
        signal: stop.signal,
      },
      pod,
      own,
    );
    const watches = {
      Executor: new Subject<WatchEvent<WatchedExecutor>>(),
      NamespacedExecutor: new Subject<WatchEvent<WatchedExecutor>>(),
    };
    running.push(runWriter({ ...chain, ...parts, watch: (kind) => watches[kind] }).subscribe());
    return {
      api,
      own,
      built,
      hang,
      outcomes,
      say: (kind: ExecutorKind, event: WatchEvent<WatchedExecutor>) => watches[kind].next(event),
      status: (name: string) => api.reports.get(nameOf(name))?.status,
      /** An executor as it is in the API server from now on, and as a watch shows it. */
      object: (name: string, fields: Partial<Executor['metadata']> = {}) => {
        const metadata = {
          name,
          uid: `uid-${name}`,
          generation: 1,
          resourceVersion: String(++version),
          ...fields,
        };
        executors.set(name, { apiVersion: 'config.ratify.sh/v2alpha1', kind: 'Executor', metadata });
        return watchedExecutor({ metadata });
      },
      /** Lets everything happen that needs no time. */
      rest: async () => {
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      },
      until: (condition: () => boolean) => waitUntil(condition, { what: String(condition), everyMs: 1 }),
    };
  }
});

let version = 0;

const SETTINGS = {
  executorGroup: 'config.ratify.sh',
  resyncMs: 3_600_000,
  filePollMs: 3_600_000,
  recheckMs: 3_600_000,
  retryBaseMs: 1000,
  retryMaxMs: 300_000,
  retrySlowAfterMs: 600_000,
  retrySlowMs: 900_000,
  buildPatienceMs: 5000,
  buildConcurrency: 4,
};

/** Executors come from the map, reports from the API. */
function getFrom(api: MemoryApi, executors: ReadonlyMap<string, Executor>) {
  const reports = api.get.bind(api);
  return async <T>(
    resource: { readonly kind: string },
    ref: { readonly name: string },
  ): Promise<T | undefined> =>
    resource.kind === 'ExecutorPodStatus'
      ? reports<T>(resource, ref)
      : (executors.get(ref.name) as T | undefined);
}

function success(): Outcome {
  return {
    succeeded: true,
    reason: 'Built',
    blocksSet: false,
    retryable: false,
    material: [],
    warnings: [],
    files: [],
  };
}

function failure(): Outcome {
  return {
    ...success(),
    succeeded: false,
    reason: 'ProviderUnreachable',
    retryable: true,
    error: 'e',
    briefError: 'e',
  };
}
