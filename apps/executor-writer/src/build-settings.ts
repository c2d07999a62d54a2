import type { Settings } from '@executor-status/process';

/** When executors are built, how long that may take, and what is asked for it. */
export const BUILD_SETTINGS = {
  recheck: {
    type: 'string',
    format: 'duration',
    default: '1h',
    'x-min': '1s',
    'x-max': '24h',
    description: 'How often an executor is built again although nothing is known to have changed (±10 %).',
  },
  filePoll: {
    type: 'string',
    format: 'duration',
    default: '5s',
    'x-min': '50ms',
    'x-max': '1h',
    description: 'How often the files that builds read are looked at for a change.',
  },
  buildDeadline: {
    type: 'string',
    format: 'duration',
    default: '60s',
    'x-min': '100ms',
    'x-max': '10m',
    description: 'How long the build of one executor may take before it counts as BuildTimedOut.',
  },
  buildPatience: {
    type: 'string',
    format: 'duration',
    default: '5s',
    'x-min': '10ms',
    'x-max': '10m',
    description: 'How long a set waits for a slow build before its other executors are built without it.',
  },
  buildConcurrency: {
    type: 'integer',
    minimum: 1,
    maximum: 64,
    default: 4,
    description: 'How many executors of a set are built, and how many reports are written, side by side.',
  },
  retryBase: {
    type: 'string',
    format: 'duration',
    default: '1s',
    'x-min': '10ms',
    'x-max': '1h',
    description:
      'The wait before the first new build after a failure that may pass; it doubles from there (±20 %).',
  },
  retryMax: {
    type: 'string',
    format: 'duration',
    default: '5m',
    'x-min': '10ms',
    'x-max': '24h',
    description: 'The longest wait before a new build while an executor has not failed for long.',
  },
  retrySlowAfter: {
    type: 'string',
    format: 'duration',
    default: '10m',
    'x-max': '24h',
    description: 'After failing for this long, an executor is built again only at the pace of --retry-slow.',
  },
  retrySlow: {
    type: 'string',
    format: 'duration',
    default: '15m',
    'x-min': '10ms',
    'x-max': '24h',
    description: 'The shortest wait before a new build of an executor that has failed for long.',
  },
  askKeyVault: {
    type: 'boolean',
    default: true,
    description: 'Ask key vaults as Ratify does; off, a report warns that they were not asked.',
  },
  askSigstoreRoot: {
    type: 'boolean',
    default: true,
    description:
      'Fetch the Sigstore trusted root as Ratify does; off, as in an air-gapped cluster, a report warns of it.',
  },
  sigstoreCache: {
    type: 'string',
    minLength: 1,
    description:
      'A folder for the Sigstore trusted root, which can be written; .sigstore in the home folder when left out, as in Ratify. Downloads go through it too, unless TMPDIR names another one.',
  },
  providerTimeout: {
    type: 'string',
    format: 'duration',
    default: '20s',
    'x-min': '100ms',
    'x-max': '10m',
    description: 'How long a key vault may take for one object, and the Sigstore root for itself.',
  },
} as const satisfies Settings;
