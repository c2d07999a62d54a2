import type { Config } from './config.ts';

/** What an operator can choose about the content of an executor's status. Times in milliseconds. */
export interface StatusSettings {
  /** How long a pod, or a new generation, may be without its report before that counts as a fault. */
  readonly graceMs: number;
  /** How long there must be no failure before Ready and succeeded turn from False to True. */
  readonly successHoldMs: number;
  /** How long an executor-writer may be down before what it last said counts as stale. */
  readonly writerDownMs: number;
  /** How long before its end a certificate raises CredentialsExpiring. */
  readonly expiryNoticeMs: number;
  /** Within which time repeated rewrites of our fields by another manager count as contention. */
  readonly contentionMs: number;
  /** Most entries of `byPod`; at most 256. */
  readonly maxEntries: number;
  /** Most bytes of the whole status as the API server stores it. */
  readonly maxStatusBytes: number;
  /** `failing` leaves out healthy entries and all that moves with them, so that a healthy rollout writes nothing. */
  readonly detail: 'full' | 'failing';
  /** Whether to show that Ratify did not build again after a recovery; off for a Ratify that retries by itself. */
  readonly showRatifyLag: boolean;
  /** Whether to leave out the names of nodes. */
  readonly hideNodeNames: boolean;
  /** Whether to name pods by their uids. */
  readonly hidePodNames: boolean;
}

/** The numbers of the design, sections 5.2 and 7. */
export const DEFAULT_STATUS_SETTINGS: StatusSettings = {
  graceMs: 60_000,
  successHoldMs: 10_000,
  writerDownMs: 30_000,
  expiryNoticeMs: 7 * 24 * 3_600_000,
  contentionMs: 600_000,
  maxEntries: 100,
  maxStatusBytes: 512 * 1024,
  detail: 'full',
  showRatifyLag: true,
  hideNodeNames: false,
  hidePodNames: false,
};

/** What of the settings decides the content of a status. */
export function settingsOf(config: Config): StatusSettings {
  return {
    graceMs: config.graceMs,
    successHoldMs: config.successHoldMs,
    writerDownMs: config.writerDownMs,
    expiryNoticeMs: config.expiryNoticeMs,
    contentionMs: config.contentionWindowMs,
    maxEntries: config.maxEntries,
    maxStatusBytes: config.maxStatusBytes,
    detail: config.detail,
    showRatifyLag: config.showRatifyLag,
    hideNodeNames: config.hideNodeNames,
    hidePodNames: config.hidePodNames,
  };
}
