/** Why a report says what it says: a closed set. The CRD's description and the docs list the same words; a test compares them. */
export const REPORT_REASONS = {
  Built: 'The executor builds in this pod.',
  ConfigInvalid: 'The spec is wrong in every pod, or makes Ratify panic; edit it.',
  CredentialsInvalid: 'A certificate or key file in this pod cannot be used.',
  ProviderUnreachable: 'A key vault, a token endpoint or the Sigstore root gave no answer.',
  ProviderThrottled: 'A key vault asked to be called less often.',
  ProviderDenied: 'A key vault refused this identity.',
  CredentialsExpired: 'The vault or the token endpoint refuses an expired credential.',
  IdentityNotInjected: 'The environment of this pod names no identity; recreate the pod.',
  BuildTimedOut: 'The build did not end within its deadline.',
  BuildFailed: 'The build failed for a reason that has no word of its own here.',
} as const;

export type ReportReason = keyof typeof REPORT_REASONS;

/** True for a word of the closed set. */
export function isReportReason(text: unknown): text is ReportReason {
  return typeof text === 'string' && Object.hasOwn(REPORT_REASONS, text);
}
