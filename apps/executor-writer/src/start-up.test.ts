import { newExecutorPodStatus } from '@executor-status/api';
import { createLog, MisconfigurationError } from '@executor-status/process';
import { expect } from 'chai';
import { MemoryApi, refusal } from '../test/memory-api.ts';
import { startUp } from './start-up.ts';

describe('startUp', () => {
  const pod = { namespace: 'ratify', name: 'ratify-0', uid: 'pod-1' };
  const ref = { kind: 'Executor', name: 'x' } as const;

  it('finds out who it is and what it has reported, and writes nothing (ID-9)', async () => {
    const { api, begin } = setUp();
    api.put(newExecutorPodStatus(pod, ref));
    api.put({ ...newExecutorPodStatus(pod, ref), metadata: { name: 'not-a-name-of-ours' } });
    const impossible = { executorRef: { kind: 'Executor', name: '-x' }, pod } as const;
    api.put({
      ...newExecutorPodStatus(pod, ref),
      metadata: { name: 'put-there-by-somebody' },
      spec: impossible,
    });
    const { own, ...begun } = await begin();
    expect(begun.pod).to.deep.equal(pod);
    expect(own.refs()).to.deep.equal([ref]);
    expect(api.calls).to.deep.equal([
      'review',
      'list executors.config.ratify.sh',
      'list namespacedexecutors.config.ratify.sh',
      'list',
    ]);
  });

  it('waits out an API server that does not answer, as long as it asks for', async () => {
    const { api, begin } = setUp();
    api.failNext('review', refusal({ reason: 'Unreachable' }), refusal({ code: 503, retryAfterMs: 20_000 }));
    await begin();
    expect(api.calls.filter((call) => call === 'review')).to.have.length(3);
    expect(api.nowMs).to.equal(1000 + 20_000);
  });

  it('takes a refusal for real only when it comes again: a new API server refuses everything for a moment', async () => {
    const { api, begin } = setUp();
    api.failNext('review', refusal({ code: 403 }), refusal({ code: 403 }));
    expect((await begin()).pod).to.deep.equal(pod);
  });

  it('takes it that a kind of executor is not installed (ID-8)', async () => {
    const { api, begin } = setUp();
    api.failNext('list', refusal({ code: 404, missing: 'kind' }), refusal({ code: 404, missing: 'kind' }));
    expect((await begin()).pod).to.deep.equal(pod);
  });

  const forbidden = () => Array.from({ length: 3 }, () => refusal({ code: 403, reason: 'Forbidden' }));

  const parked: Record<string, { fail: (api: MemoryApi) => void; names: string }> = {
    'when the token is not bound to the pod': {
      fail: (api) => {
        api.self = { username: 'admin' };
      },
      names: 'not bound to a pod',
    },
    'when it may not even ask who it is': {
      fail: (api) => api.failNext('review', ...forbidden()),
      names: 'bind the ClusterRole system:basic-user',
    },
    'when it may not read executors': {
      fail: (api) => api.failNext('list', ...forbidden()),
      names: 'bind the ClusterRole executor-writer to system:serviceaccount:ratify:admin',
    },
    'when it may not read its own reports': {
      fail: (api) => failThird(api, forbidden()),
      names: 'bind the Role executor-writer to system:serviceaccount:ratify:admin in namespace ratify',
    },
    'when the report CRD is not installed': {
      fail: (api) => failThird(api, [refusal({ code: 404, missing: 'kind' })]),
      names: 'install the report CRD, crds/executorpodstatuses.yaml',
    },
  };

  for (const [name, { fail, names }] of Object.entries(parked)) {
    it(`is a misconfiguration ${name}, with the remedy in the message (ID-9, WP-13)`, async () => {
      const { api, begin } = setUp();
      fail(api);
      const error = await begin().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(MisconfigurationError);
      expect(String(error)).to.include(names);
    });
  }

  it('says once in five minutes why it cannot start yet, however often it tries and is started again', async () => {
    const { api, lines, begin } = setUp();
    const away = Array.from({ length: 40 }, () => refusal({ reason: 'Unreachable' }));
    api.failNext('review', ...away);
    await begin();
    expect(api.nowMs).to.be.within(300_000, 600_000);
    expect(lines).to.have.length(2);
    expect(lines[0]).to.include({ level: 'warn', msg: 'cannot start yet; trying again' });
    for (let start = 0; start < 10; start += 1) {
      api.failNext('review', refusal({ reason: 'Unreachable' }));
      await begin();
    }
    expect(lines).to.have.length(2);
  });

  it('stops waiting when the process does', async () => {
    const { api, stop, begin } = setUp();
    api.failNext('review', ...Array.from({ length: 9 }, () => refusal({ reason: 'Unreachable' })));
    stop.abort();
    const error = await begin().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
    expect(api.calls).to.deep.equal(['review']);
  });

  function setUp() {
    const api = new MemoryApi();
    api.self = {
      username: 'system:serviceaccount:ratify:admin',
      extra: {
        'authentication.kubernetes.io/pod-name': ['ratify-0'],
        'authentication.kubernetes.io/pod-uid': ['pod-1'],
      },
    };
    const stop = new AbortController();
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
    const rareLog = createLog({ level: 'info', write, clock: () => api.nowMs }).onceIn(300_000);
    const begin = () =>
      startUp({
        client: api,
        claimed: { podName: 'ratify-0', podUid: 'pod-1', podNamespace: 'ratify', nodeName: undefined },
        executorGroup: 'config.ratify.sh',
        random: () => 0.5,
        rareLog,
        signal: stop.signal,
      });
    return { api, stop, lines, begin };
  }

  /** The third list is that of the own reports. */
  function failThird(api: MemoryApi, errors: readonly Error[]): void {
    const fine = refusal({ code: 404, missing: 'kind' });
    api.failNext('list', fine, fine, ...errors);
  }
});
