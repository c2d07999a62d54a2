import { KUBE_METRICS, systemClock } from '@executor-status/kube';
import { createLog, createMetrics, HealthChecks, loadConfig } from '@executor-status/process';
import { expect } from 'chai';
import { lastValueFrom } from 'rxjs';
import { AGGREGATOR_METRICS } from './aggregator-metrics.ts';
import { CONFIG_SCHEMA } from './config.ts';
import { startAggregator } from './start-aggregator.ts';

describe('startAggregator', () => {
  it('starts nothing when the stop came before it, not even the election (HA-1)', async () => {
    const ready = new HealthChecks();
    const done = startAggregator(context({ signal: AbortSignal.abort(), ready }));
    expect(await lastValueFrom(done, { defaultValue: 'ended' })).to.equal('ended');
    expect(ready.results()).to.deep.equal([]);
  });

  function context(parts: { readonly signal: AbortSignal; readonly ready: HealthChecks }) {
    const env = {
      POD_NAME: 'aggregator-0',
      NAMESPACE: 'ratify',
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
      metrics: createMetrics([...AGGREGATOR_METRICS, ...KUBE_METRICS]),
      live: new HealthChecks(),
      further: new HealthChecks(),
      ...parts,
      attempt: 1,
      started: () => undefined,
      version: '1.2.3',
      clock: systemClock,
      random: () => 0.5,
      today: () => new Date(),
      nonce: 'x',
    };
  }
});
