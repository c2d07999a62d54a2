import { expect } from 'chai';
import { configHelp } from './config-help.ts';
import { configSchema } from './config-schema.ts';

const SCHEMA = configSchema(
  {
    podName: { type: 'string', minLength: 1, 'x-env': 'POD_NAME', description: 'The pod | itself.' },
    grace: {
      type: 'string',
      format: 'duration',
      default: '60s',
      'x-min': '1s',
      'x-max': '1h',
      description: 'Grace.',
    },
    podSelector: { type: 'string', description: 'Which pods.' },
  },
  ['podName'],
);

describe('configHelp', () => {
  it('CF-1 names every flag, its variable and its default', () => {
    const help = configHelp('status-aggregator', SCHEMA);
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
