import { systemClock } from '@executor-status/kube';
import { createLog, createMetrics, HealthChecks, loadConfig } from '@executor-status/process';
import { expect } from 'chai';
import { lastValueFrom } from 'rxjs';
import { CONFIG_SCHEMA } from './config.ts';
import { startWriter } from './start-writer.ts';

describe('startWriter', () => {
  it('ends at once, and in good order, when the stop came before it (WP-12)', async () => {
    const done = startWriter(context({ signal: AbortSignal.abort() }));
    expect(await lastValueFrom(done, { defaultValue: 'ended' })).to.equal('ended');
  });

  function context({ signal }: { readonly signal: AbortSignal }) {
    const env = {
      POD_NAME: 'ratify-0',
      POD_UID: 'pod-1',
      POD_NAMESPACE: 'ratify',
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: '1',
    };
    const argv = ['--credentials-dir=/nowhere'];
    return {
      config: loadConfig({ schema: CONFIG_SCHEMA, argv, env, readFile: () => '' }),
      env,
      log: createLog({ level: 'error', write: () => undefined }),
      rareLog: createLog({ level: 'error', write: () => undefined }),
      metrics: createMetrics([]),
      live: new HealthChecks(),
      ready: new HealthChecks(),
      further: new HealthChecks(),
      signal,
      attempt: 1,
      started: () => undefined,
      writerVersion: '1.2.3',
      clock: systemClock,
      random: () => 0.5,
      today: () => new Date(),
    };
  }
});
