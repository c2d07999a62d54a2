import {
  boundBriefError,
  boundError,
  boundText,
  isReportReason,
  MAX_ERROR_BYTES,
  type Material,
  type PodIdentity,
  type ReportReason,
  type ReportStatus,
  redact,
  type Warning,
} from '@executor-status/api';
import type { Outcome } from '@executor-status/executor';

/** What a build gave, and of which object it speaks. */
export interface Verdict {
  readonly uid: string;
  readonly generation: number;
  readonly outcome: Outcome;
}

/** Everything that the status of a report is made of. */
export interface StatusFacts {
  readonly pod: PodIdentity;
  readonly verdict: Verdict;
  /** What this pod said last of an executor of this name; the history that only a report knows. */
  readonly last: ReportStatus | undefined;
  readonly now: Date;
  readonly writerVersion: string;
  /** Fields of the status that the installed report CRD does not have; they are left out. */
  readonly undeclared: ReadonlySet<string>;
}

/**
 * The whole status of a report: the verdict within the limits of the CRD, and what history adds to it.
 * `lastTransitionTime` moves only when `succeeded` flips; an executor that was made anew begins without a history.
 */
export function newReportStatus(facts: StatusFacts): ReportStatus {
  const status = wholeStatus(facts);
  if (facts.undeclared.size === 0) return status;
  // What every version of the CRD requires it also declares, so nothing required is left out here.
  return Object.fromEntries(
    Object.entries(status).filter(([field]) => !facts.undeclared.has(field)),
  ) as unknown as ReportStatus;
}

function wholeStatus(facts: StatusFacts): ReportStatus {
  const { verdict } = facts;
  const { outcome } = verdict;
  const last = facts.last?.executorUID === verdict.uid ? facts.last : undefined;
  return {
    id: facts.pod.name,
    executorUID: verdict.uid,
    executorGeneration: verdict.generation,
    succeeded: outcome.succeeded,
    reason: reasonOf(outcome),
    ...(outcome.succeeded ? {} : failure(outcome, last, verdict.generation)),
    lastTransitionTime: transitionTime(outcome, last, facts.now),
    ...optional(
      'lastSucceededGeneration',
      outcome.succeeded ? verdict.generation : last?.lastSucceededGeneration,
    ),
    ...optional('recoveredAt', recoveredAt(verdict, last, facts.now)),
    ...optional('material', listed(outcome.material.slice(0, MAX_MATERIAL).map(boundMaterial))),
    ...optional('materialDigest', outcome.materialDigest),
    ...optional('warnings', listed(outcome.warnings.slice(0, MAX_WARNINGS).map(boundWarning))),
    writerVersion: boundText(facts.writerVersion, 64),
  };
}

/** The limits of the report CRD: list lengths, and bytes where the API server counts characters. */
const MAX_MATERIAL = 16;
const MAX_WARNINGS = 5;
const MAX_PATH_BYTES = 256;
const MAX_SOURCE_BYTES = 512;
const MAX_WARNING_BYTES = 256;

function reasonOf(outcome: Outcome): ReportReason {
  if (outcome.succeeded) return 'Built';
  return isReportReason(outcome.reason) && outcome.reason !== 'Built' ? outcome.reason : 'BuildFailed';
}

function failure(outcome: Outcome, last: ReportStatus | undefined, generation: number) {
  const { error = '', briefError = '' } = outcome;
  // What is nothing but invisible characters is empty when cleaned, and an error always has words.
  const brief = boundBriefError(redact(briefError)) || boundBriefError(redact(error)) || reasonOf(outcome);
  return {
    error: errorText(boundError(redact(error)) || brief, last?.lastSucceededGeneration, generation),
    briefError: brief,
    blocksSet: outcome.blocksSet,
  };
}

/** The chain of causes, and which older generation built here: what Ratify may still be using. */
function errorText(error: string, lastBuilt: number | undefined, generation: number): string {
  if (lastBuilt === undefined || lastBuilt >= generation) return error;
  const older = `; generation ${lastBuilt} built in this pod`;
  return boundText(error, MAX_ERROR_BYTES - older.length) + older;
}

function transitionTime(outcome: Outcome, last: ReportStatus | undefined, now: Date): string {
  const kept = last?.succeeded === outcome.succeeded ? last.lastTransitionTime : undefined;
  return kept ?? wholeSeconds(now);
}

/** When this generation built after it had failed here for a reason that can pass: Ratify itself does not try again. */
function recoveredAt(verdict: Verdict, last: ReportStatus | undefined, now: Date): string | undefined {
  if (last === undefined || last.executorGeneration !== verdict.generation) return undefined;
  const recovers = verdict.outcome.succeeded && !last.succeeded && last.reason !== 'ConfigInvalid';
  return recovers ? wholeSeconds(now) : last.recoveredAt;
}

/** RFC 3339 as Kubernetes writes it: UTC, whole seconds. */
function wholeSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

function boundMaterial(material: Material): Material {
  return {
    path: boundText(material.path, MAX_PATH_BYTES),
    source: boundText(redact(material.source), MAX_SOURCE_BYTES),
    sha256: material.sha256.slice(0, 16),
    ...optional('notAfter', material.notAfter),
  };
}

function boundWarning(warning: Warning): Warning {
  return {
    code: warning.code,
    ...optional('path', warning.path === undefined ? undefined : boundText(warning.path, MAX_PATH_BYTES)),
    message: boundText(redact(warning.message), MAX_WARNING_BYTES),
  };
}

/** `undefined` for an empty list: what is not there is not written. */
function listed<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function optional<K extends string, V>(key: K, value: V): { readonly [P in K]?: NonNullable<V> } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: NonNullable<V> });
}
