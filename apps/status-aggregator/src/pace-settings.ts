import type { Settings } from '@executor-status/process';

const SPAN = { type: 'string', format: 'duration', 'x-min': '10ms', 'x-max': '24h' } as const;

/** When statuses are looked at and written, and who writes them; the numbers are those of design rules 9 and 11. */
export const PACE_SETTINGS = {
  look: {
    ...SPAN,
    'x-min': '0ms',
    default: '50ms',
    description: 'Least time between two looks at one executor.',
  },
  maxLook: {
    ...SPAN,
    // So that, whatever the number of pods, its first failure shows within 2 s, and its last report within 1.5 s.
    default: '800ms',
    description: 'The longest that looks are put off because each takes long: with thousands of pods.',
  },
  resync: {
    ...SPAN,
    'x-min': '100ms',
    default: '5m',
    description:
      'How often every status is compared with the server although nothing is known to have changed (±10 %).',
  },
  transition: {
    ...SPAN,
    default: '1s',
    description: 'Least time between two writes of one status; a transition waits for nothing else.',
  },
  largeTransition: { ...SPAN, default: '10s', description: 'The same for a large status.' },
  largeBytes: {
    type: 'integer',
    minimum: 0,
    maximum: 1_048_576,
    default: 102_400,
    description: 'A status of more bytes than this, as the API server stores it, is large.',
  },
  progress: {
    ...SPAN,
    default: '2s',
    description: 'How long progress waits after a write at first; doubles with each write of progress.',
  },
  maxProgress: { ...SPAN, default: '60s', description: 'The longest that progress waits.' },
  quiet: {
    ...SPAN,
    default: '2m',
    description: 'After so long without a write, progress waits as at first again.',
  },
  repair: {
    ...SPAN,
    default: '10s',
    description: 'Least time between two repairs of what another manager changed.',
  },
  contended: {
    ...SPAN,
    default: '60s',
    description: 'Least time between two writes of a status that another manager keeps changing.',
  },
  contentionWindow: {
    ...SPAN,
    default: '10m',
    description: 'Three changes by another manager within this time raise StatusContended.',
  },
  crdPoll: {
    ...SPAN,
    default: '30s',
    description: 'How often to look whether a CRD that lacked fields of ours has got them.',
  },
  eventSeries: {
    ...SPAN,
    default: '5m',
    description: 'For how long the same Event of an executor is only counted, not told again.',
  },
  writesPerSecond: {
    type: 'number',
    minimum: 0.1,
    maximum: 1000,
    default: 10,
    description: 'Writes of statuses a second over all executors, in the long run.',
  },
  writeBurst: {
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    default: 100,
    description: 'Writes of statuses over all executors at once, after a quiet time.',
  },
  concurrency: {
    type: 'integer',
    minimum: 1,
    maximum: 64,
    default: 8,
    description: 'How many executors are looked at and written at once.',
  },
  callTimeout: {
    ...SPAN,
    'x-min': '100ms',
    'x-max': '10m',
    default: '30s',
    description: 'The deadline of a call to the API server.',
  },
  stuckAfter: {
    ...SPAN,
    default: '60s',
    description:
      'A leader whose writes fail for so long gives the Lease up and ends, so that another can try.',
  },
  leaseName: {
    type: 'string',
    minLength: 1,
    default: 'status-aggregator',
    description: 'The name of the Lease; the same for all replicas and versions.',
  },
  leaseDuration: { ...SPAN, default: '15s', description: 'How long the others wait for a silent leader.' },
  renewDeadline: {
    ...SPAN,
    default: '10s',
    description: 'How long a leader that cannot renew the Lease goes on.',
  },
  retryPeriod: { ...SPAN, default: '2s', description: 'How often the Lease is tried for, or renewed.' },
} as const satisfies Settings;
