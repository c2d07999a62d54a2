import type { Settings } from '@executor-status/process';

const SPAN = { type: 'string', format: 'duration', 'x-min': '10ms', 'x-max': '24h' } as const;

/** When the probes speak up, and how often the figures are taken. */
export const HEALTH_SETTINGS = {
  unheardAfter: {
    ...SPAN,
    // The server speaks on a watch once a minute; half a minute more is late.
    default: '90s',
    description:
      'A process that has not heard the API server on a watch for so long is not ready; it speaks once a minute at least.',
  },
  hangAfter: {
    ...SPAN,
    default: '5m',
    description:
      'A process fails its liveness when work, or a watch that says that it runs, has not moved for so long.',
  },
  measure: {
    ...SPAN,
    default: '5s',
    description: 'How often the gauges of the metrics are taken.',
  },
} as const satisfies Settings;
