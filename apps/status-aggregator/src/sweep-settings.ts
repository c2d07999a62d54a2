import type { Settings } from '@executor-status/process';

/** How reports that nobody stands behind any more are removed; the numbers are those of design rule 12. */
export const SWEEP_SETTINGS = {
  sweep: {
    type: 'string',
    enum: ['on', 'dry-run', 'off'],
    default: 'on',
    description:
      'Whether reports are removed whose pod is gone or over, or whose executor is gone; dry-run only logs them.',
  },
  sweepPeriod: {
    type: 'string',
    format: 'duration',
    default: '30s',
    'x-min': '50ms',
    'x-max': '1h',
    description: 'How often all reports are looked through for orphans.',
  },
  sweepConfirm: {
    type: 'string',
    format: 'duration',
    default: '60s',
    'x-max': '24h',
    description:
      'How long a report must look like an orphan before the API server is asked, and it is removed.',
  },
  sweepsPerSecond: {
    type: 'number',
    minimum: 0.1,
    maximum: 1000,
    default: 20,
    description: 'Most removals of orphans a second.',
  },
} as const satisfies Settings;
