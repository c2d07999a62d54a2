import type { ExecutorPodStatus } from '@executor-status/api';
import { ProviderError } from '@executor-status/executor';
import { createLog } from '@executor-status/process';
import { expect } from 'chai';
import { SimulatedPods } from '../../apps/executor-writer/test/simulated-pods.ts';
import { vaultExecutor } from '../../apps/executor-writer/test/stub-vault-world.ts';
import { pod, report } from '../support/builders.ts';
import { emptyEnvironment } from '../support/executor-specs.ts';
import { MARK, SECRET_TEXTS } from '../support/secret-texts.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { StatusStory } from '../support/status-story.ts';

describe(`a secret in one of ${SECRET_TEXTS.length} texts`, () => {
  let said: { readonly text: string; readonly report: ExecutorPodStatus }[];
  let figures: string;

  // Each text is what a vault says about the next generation of one executor.
  before(async function () {
    this.timeout(60_000);
    let text = '';
    const fails = () =>
      Promise.reject(new ProviderError(text, { reason: 'ProviderDenied', cause: new Error(text) }));
    const simulation = new SimulatedPods({
      pods: 1,
      random: seededRandom(1),
      startMs: Date.parse('2027-06-01T00:00:00Z'),
      environment: () => emptyEnvironment({ keyVault: { secret: fails, key: fails } }),
    });
    const [simulated] = simulation.pods;
    said = [];
    for (const [index, next] of SECRET_TEXTS.entries()) {
      text = next;
      await simulation.apply(vaultExecutor(index + 1));
      const status = simulated?.status('a');
      if (status === undefined) throw new Error('nothing was reported');
      said.push({
        text,
        report: { ...report(), status: { ...status, id: 'pod-a', executorUID: 'executor-uid' } },
      });
    }
    figures = (await simulated?.figures()) ?? '';
  });

  it('is in no report (WP-10)', () => {
    expect(said.length).to.be.at.least(200);
    for (const { text, report: one } of said) {
      expect(one.status).to.include({ succeeded: false, reason: 'ProviderDenied' });
      expect(JSON.stringify(one), text).not.to.include(MARK);
      // What is no secret is still there.
      expect(one.status?.error).to.include(
        'the secret "c" could not be fetched from "https://v.vault.azure.net"',
      );
    }
  });

  it('is in no status of an executor, also when a writer had let it through (WP-10)', () => {
    for (const { text, report: one } of said) {
      const { generation, ...status } = { generation: 1, ...one.status };
      const reports = [
        { ...one, status: { ...status, executorGeneration: generation } },
      ] as ExecutorPodStatus[];
      const story = new StatusStory();
      story.look(0, { pods: [pod()], reports });
      expect(story.status.error, text).to.match(/^1\/1 replicas unhealthy: /);
      expect(JSON.stringify(story.status), text).not.to.include(MARK);
    }
  });

  it('is in no line of a log (WP-10)', () => {
    for (const text of SECRET_TEXTS) {
      const lines: string[] = [];
      const log = createLog({ level: 'debug', write: (line) => void lines.push(line) });
      const error = new Error(`outer: ${text}`, {
        cause: new ProviderError(text, { reason: 'ProviderDenied' }),
      });
      log.error('failed', { error, problem: text });
      log.child({ about: text }).onceIn(1000).warn('failed', { error });
      expect(lines).to.have.length(2);
      expect(lines.join(''), text).not.to.include(MARK);
    }
  });

  it('is in no metric (WP-10)', () => {
    expect(figures).to.include('executor_builds_total');
    expect(figures).not.to.include(MARK);
  });
});
