import { expect } from 'chai';
import { SAMPLE_SCHEMA } from '../test/sample-schema.ts';
import { configHelp } from './config-help.ts';

describe('configHelp', () => {
  it('CF-1 names every flag, its variable and its default', () => {
    const help = configHelp('status-aggregator', SAMPLE_SCHEMA);
    expect(help).to.match(/^status-aggregator \[flags\]\n/);
    for (const part of [
      '--grace\n',
      'EXECUTOR_STATUS_GRACE',
      'default 60s',
      '--config FILE\n',
      '--version\n',
    ]) {
      expect(help).to.include(part);
    }
  });
});
