import { configSchema } from '@executor-status/process';

/** A schema with a setting of each sort that the docs tell of. */
export const SAMPLE_SCHEMA = configSchema(
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
