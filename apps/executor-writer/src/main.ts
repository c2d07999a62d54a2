import { defaultCachePath } from '@executor-status/executor';
import { KUBE_METRICS, systemClock } from '@executor-status/kube';
import { runApp } from '@executor-status/process';
import { lastValueFrom } from 'rxjs';
import packageJson from '../package.json' with { type: 'json' };
import { CONFIG_SCHEMA } from './config.ts';
import { BUILDS_PROBE } from './readiness.ts';
import { startWriter } from './start-writer.ts';
import { WRITER_METRICS } from './writer-metrics.ts';

const { version } = packageJson;

await runApp({
  name: 'executor-writer',
  version,
  schema: CONFIG_SCHEMA,
  metrics: [...WRITER_METRICS, ...KUBE_METRICS],
  probe: BUILDS_PROBE,
  main: async (context) => {
    // In Ratify's pod only the Sigstore cache can be written, so that is where its client downloads to.
    process.env['TMPDIR'] ??= context.config.sigstoreCache ?? defaultCachePath();
    const around = {
      writerVersion: version,
      clock: systemClock,
      random: Math.random,
      today: () => new Date(),
    };
    await lastValueFrom(startWriter({ ...context, ...around }), { defaultValue: undefined });
  },
});
