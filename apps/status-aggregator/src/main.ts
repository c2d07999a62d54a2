import { randomUUID } from 'node:crypto';
import { KUBE_METRICS, systemClock } from '@executor-status/kube';
import { runApp } from '@executor-status/process';
import { lastValueFrom } from 'rxjs';
import packageJson from '../package.json' with { type: 'json' };
import { AGGREGATOR_METRICS } from './aggregator-metrics.ts';
import { CONFIG_SCHEMA } from './config.ts';
import { startAggregator } from './start-aggregator.ts';

const { version } = packageJson;

await runApp({
  name: 'status-aggregator',
  version,
  schema: CONFIG_SCHEMA,
  metrics: [...AGGREGATOR_METRICS, ...KUBE_METRICS],
  main: async (context) => {
    const around = {
      version,
      clock: systemClock,
      today: () => new Date(),
      random: Math.random,
      nonce: randomUUID(),
    };
    await lastValueFrom(startAggregator({ ...context, ...around }), { defaultValue: undefined });
  },
});
