import type { Executor } from '@executor-status/api';
import { type ApplyOptions, type KubeClient, KubeError } from '@executor-status/kube';
import { expect } from 'chai';
import { pod, report } from '../../../test/support/builders.ts';
import { silentLog } from '../../../test/support/silent-log.ts';
import { silentMetrics } from '../../../test/support/silent-metrics.ts';
import { StatusStory } from '../../../test/support/status-story.ts';
import { StatusWriter } from './write-status.ts';
import { WriteTrouble } from './write-trouble.ts';

describe('StatusWriter', () => {
  /** Writes once, with so much of the Lease left, and tells how it asked. */
  async function written(leaseLeftMs: number, answer: (sent: Executor) => Executor = (sent) => sent) {
    const asked: ApplyOptions[] = [];
    const apply = async (_resource: unknown, sent: Executor, options: ApplyOptions) => {
      asked.push(options);
      return answer(sent);
    };
    const trouble = new WriteTrouble({ limitMs: 0, now: () => 0 });
    const troubles: number[] = [];
    trouble.stuck.forEach((forMs) => void troubles.push(forMs)).catch(() => undefined);
    const writer = new StatusWriter({
      client: { apply } as unknown as KubeClient,
      executorGroup: 'config.ratify.sh',
      fieldManager: 'status-aggregator/ratify',
      isLeader: () => true,
      leaseLeftMs: () => leaseLeftMs,
      callTimeoutMs: 8000,
      trouble,
      log: silentLog,
      metrics: silentMetrics,
      signal: new AbortController().signal,
    });
    const story = new StatusStory();
    const plan = story.look(0, { pods: [pod()], reports: [report()] });
    if (plan.kind !== 'write') throw new Error('there is nothing to write');
    const result = await writer.write(story.executor, plan, () => plan);
    return { result, options: asked[0], tries: asked.length, troubles };
  }

  it('HA-2: asks once more whether it leads when the write is sent', async () => {
    const { options } = await written(12_000);
    expect(options?.mayStill?.()).to.equal(true);
  });

  for (const [leftMs, wantMs] of [
    [12_000, 8000],
    [5000, 5000],
  ] as const) {
    it(`HA-2: gives a write up after ${wantMs} ms when nobody else can lead for ${leftMs} ms`, async () => {
      expect((await written(leftMs)).options).to.include({ timeoutMs: wantMs });
    });
  }

  it('HA-2: takes a write that was withheld for nothing but the end of its turn to lead', async () => {
    const withheld = () => {
      throw new KubeError({ verb: 'apply', target: 'default', reason: 'Withheld' });
    };
    const { result, tries, troubles } = await written(12_000, withheld);
    expect(result).to.deep.equal({ kind: 'not-leader' });
    expect({ tries, troubles }).to.deep.equal({ tries: 1, troubles: [] });
  });
});
