import type { Settings } from '@executor-status/process';
import type { Config } from './config.ts';

const SPAN = { type: 'string', format: 'duration', 'x-min': '1ms', 'x-max': '24h' } as const;

/** How an executor is left alone after failed calls. */
export const RETRY_SETTINGS = {
  retryBase: {
    ...SPAN,
    default: '1s',
    description:
      'The first pause of an executor after a failed call; doubles with each further failure (±20 %).',
  },
  retryMax: {
    ...SPAN,
    // Below 30 s, so that a status is right again soon after an outage.
    default: '20s',
    description: 'The longest pause after failed calls.',
  },
  refusedRetryMax: {
    ...SPAN,
    default: '5m',
    description: 'The longest pause before a status that the server has refused is sent again as it was.',
  },
  sizeRetry: {
    ...SPAN,
    default: '6h',
    description:
      'How long a status stays as small as it had to become because the server found it too large, unless the spec is edited.',
  },
} as const satisfies Settings;

/** The same in milliseconds, as the parts take it. */
export interface RetryTimes {
  readonly retryBaseMs: number;
  readonly retryMaxMs: number;
  readonly refusedRetryMaxMs: number;
  readonly sizeRetryMs: number;
}

/** What of the settings decides when something is tried again. */
export function retryTimesOf(config: Config): RetryTimes {
  const { retryBaseMs, retryMaxMs, refusedRetryMaxMs, sizeRetryMs } = config;
  return { retryBaseMs, retryMaxMs, refusedRetryMaxMs, sizeRetryMs };
}

/** What the settings say when nothing is said. */
export const DEFAULT_RETRY_TIMES: RetryTimes = {
  retryBaseMs: 1000,
  retryMaxMs: 20_000,
  refusedRetryMaxMs: 300_000,
  sizeRetryMs: 6 * 3_600_000,
};
