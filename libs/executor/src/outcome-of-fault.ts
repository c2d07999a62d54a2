import { boundBriefError, boundError, type ReportReason, redact } from '@executor-status/api';
import type { Waiting } from './build/build-notes.ts';
import type { Fault } from './faults/fault.ts';
import type { FaultCode } from './faults/fault-codes.ts';
import type { FaultCause } from './faults/fault-text.ts';
import type { Outcome } from './member.ts';

/** How an outcome says that a build failed. */
export type FailedOutcome = Pick<
  Outcome,
  'succeeded' | 'reason' | 'code' | 'path' | 'error' | 'briefError' | 'retryable' | 'retryAfterMs'
>;

/** Puts a fault into the words of an outcome. */
export function outcomeOfFault(fault: Fault): FailedOutcome {
  const reason = reasonOf(fault);
  const chain = causes(fault);
  return {
    succeeded: false,
    reason,
    code: fault.code,
    path: fault.path,
    error: boundError(
      redact(`${[fault.message, ...chain].join(': ')}; expected ${fault.expected}. ${fault.next}`),
    ),
    briefError: boundBriefError(redact(`${chain.at(-1) ?? fault.found} (${fault.code} at ${fault.path})`)),
    retryable: isRetryable(reason, fault),
    ...(fault.retryAfterMs === undefined ? {} : { retryAfterMs: fault.retryAfterMs }),
  };
}

/** Puts whatever else ended a build into the words of an outcome. */
export function outcomeOfError(error: unknown, reason: ReportReason): FailedOutcome {
  const texts =
    error instanceof Error ? [error.message.slice(0, MAX_MESSAGE_CHARS), ...causes(error)] : [String(error)];
  return {
    succeeded: false,
    reason,
    error: boundError(redact(texts.join(': '))),
    briefError: boundBriefError(redact(texts.at(-1) ?? 'no message')),
    retryable: true,
  };
}

/** Puts the end of a build by its deadline into the words of an outcome: whom it waited for, and where that is asked for. */
export function outcomeOfTimeOut(why: string, waiting: Waiting | undefined): FailedOutcome {
  const what = waiting === undefined ? 'the build itself' : waiting.what;
  const at = waiting === undefined ? '' : `, at ${waiting.path}`;
  return {
    succeeded: false,
    reason: 'BuildTimedOut',
    ...(waiting === undefined ? {} : { path: waiting.path }),
    error: boundError(
      redact(
        `BuildTimedOut: no answer yet for ${what}${at}: ${why}; expected ${IN_TIME}. ${AFTER_A_TIME_OUT}`,
      ),
    ),
    briefError: boundBriefError(redact(`no answer yet for ${what}${at}`)),
    retryable: true,
  };
}

const IN_TIME = 'an answer before the deadline';
const AFTER_A_TIME_OUT =
  'Nothing to do if it passes: it is tried again. Else look at the network or the disk of this pod, or raise --build-deadline.';

/** Most characters of one message: an answer from outside may be any length, and all of it is searched for secrets. */
const MAX_MESSAGE_CHARS = 65_536;

/** Messages of the causes, outermost first; at most ten, as a chain may be a circle. */
function causes(error: Error): readonly string[] {
  const messages: string[] = [];
  for (let cause = error.cause; cause instanceof Error && messages.length < 10; cause = cause.cause) {
    if (cause.message !== '') messages.push(cause.message.slice(0, MAX_MESSAGE_CHARS));
  }
  return messages;
}

const REASONS: Readonly<Record<FaultCause, ReportReason>> = {
  spec: 'ConfigInvalid',
  filesystem: 'CredentialsInvalid',
  network: 'ProviderUnreachable',
  environment: 'BuildFailed',
};

/** What a vault holds was reached and is wrong: neither the network nor the spec of this pod. */
const VAULT_CONTENT: ReadonlySet<FaultCode> = new Set(['KeyVaultNoCertificates', 'KeyVaultPanic']);

function reasonOf(fault: Fault): ReportReason {
  if (fault.reason !== undefined) return fault.reason;
  if (VAULT_CONTENT.has(fault.code)) return 'ConfigInvalid';
  if (
    fault.faultCause === 'network' &&
    fault.code !== 'KeyVaultFetchFailed' &&
    fault.code !== 'SigstoreRootUnavailable'
  ) {
    return 'CredentialsInvalid';
  }
  return REASONS[fault.faultCause];
}

/** Faults of the process environment stay until the pod is made anew. */
const NEEDS_A_NEW_POD: ReadonlySet<FaultCode> = new Set([
  'IdentityBindingNotConfigured',
  'IdentityBindingConfigInvalid',
]);

/** What a provider holds may change without a word to us; the spec and the files are watched, and a build comes then. */
function isRetryable(reason: ReportReason, { code, faultCause }: Fault): boolean {
  if (reason === 'ConfigInvalid' || faultCause === 'spec' || faultCause === 'filesystem') return false;
  return !NEEDS_A_NEW_POD.has(code);
}
