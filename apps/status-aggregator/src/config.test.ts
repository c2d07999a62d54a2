import { ConfigError, loadConfig } from '@executor-status/process';
import { expect } from 'chai';
import { CONFIG_SCHEMA } from './config.ts';
import { spacingOf } from './new-chain.ts';
import { DEFAULT_SPACING } from './plan-spacing.ts';
import { DEFAULT_RETRY_TIMES, retryTimesOf } from './retry-settings.ts';
import { DEFAULT_STATUS_SETTINGS, settingsOf } from './status-settings.ts';

const load = (...argv: readonly string[]) =>
  loadConfig({ schema: CONFIG_SCHEMA, argv, env: {}, readFile: () => '' });

describe('the settings of the status-aggregator', () => {
  it('CF-1: are those of the design when nothing is said', () => {
    const config = load('--namespace=ratify');
    expect(settingsOf(config)).to.deep.equal(DEFAULT_STATUS_SETTINGS);
    expect(spacingOf(config)).to.deep.equal(DEFAULT_SPACING);
    expect(retryTimesOf(config)).to.deep.equal(DEFAULT_RETRY_TIMES);
    expect(config).to.include({ writesPerSecond: 10, writeBurst: 100, resyncMs: 300_000 });
    expect(config).to.include({ sweep: 'on', sweepConfirmMs: 60_000, sweepsPerSecond: 20 });
    expect(config).to.include({ leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 });
  });

  it('CF-1: name the key that is missing or wrong', () => {
    expect(() => load()).to.throw(ConfigError, /namespace/);
    expect(() => load('--namespace=ratify', '--detail=some')).to.throw(ConfigError, /detail.*full.*failing/);
  });
});
