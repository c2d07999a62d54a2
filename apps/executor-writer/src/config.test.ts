import { loadConfig } from '@executor-status/process';
import { expect } from 'chai';
import { CONFIG_SCHEMA } from './config.ts';

describe('the configuration of the executor-writer (CF-1)', () => {
  const load = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    loadConfig({ schema: CONFIG_SCHEMA, argv, env, readFile: () => '' });

  it('needs nothing but who the pod is, from the variables that the downward API gives', () => {
    const env = { POD_NAME: 'ratify-0', POD_UID: 'u', POD_NAMESPACE: 'ratify', NODE_NAME: 'node-1' };
    expect(load([], env)).to.include({
      podName: 'ratify-0',
      podUid: 'u',
      podNamespace: 'ratify',
      nodeName: 'node-1',
      executorGroup: 'config.ratify.sh',
      resyncMs: 300_000,
      recheckMs: 3_600_000,
      retryBaseMs: 1000,
      retryMaxMs: 300_000,
      retrySlowAfterMs: 600_000,
      retrySlowMs: 900_000,
      exitOnMisconfiguration: false,
    });
  });

  const refused = [
    '--resync=0s',
    '--build-concurrency=0',
    '--qps=0',
    '--executor-group=Config_Ratify',
    '--resink=1s',
  ];
  for (const flag of refused) {
    it(`refuses ${flag}`, () => expect(() => load([flag])).to.throw(flag.split('=')[0] ?? ''));
  }
});
