import { configSchema, MisconfigurationError, PARKING_SETTINGS, runApp } from '@executor-status/process';

// A program for the tests of runApp in a real process: `--what` says what befalls it, `PARKS` whether it may park.
await runApp({
  name: 'sample',
  version: '1.2.3',
  schema: configSchema({
    ...(process.env['PARKS'] === 'true' ? PARKING_SETTINGS : {}),
    what: {
      type: 'string',
      enum: ['wait', 'hang', 'misconfigured', 'reject', 'throw', 'talk'],
      default: 'wait',
      description: 'What.',
    },
  }),
  main: async ({ config, log, signal }) => {
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
    });
    log.info('running');
    switch (config.what) {
      case 'hang':
        return new Promise(() => {});
      case 'misconfigured':
        throw new MisconfigurationError('POD_NAME is wrong');
      case 'reject':
        void Promise.reject(new Error('nobody looks'));
        break;
      case 'throw':
        setImmediate(() => {
          throw new Error('nobody looks');
        });
        break;
      case 'talk':
        setInterval(() => log.info('talking'), 1);
        break;
      case 'wait':
        break;
    }
    await stopped;
  },
});
