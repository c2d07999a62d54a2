import {
  EXECUTOR_KINDS,
  type Executor,
  type ExecutorKind,
  type ExecutorPodStatus,
  type Material,
  type ReportSpec,
  type ReportStatus,
} from '@executor-status/api';
import type { KubeObject } from '@executor-status/controller';
import { type Pod, projectPod } from './pod.ts';
import { SharedTexts } from './shared-texts.ts';

/** An executor without its spec, which may be large, and with what managedFields say of its status only. */
export function projectExecutor(raw: KubeObject, kind: ExecutorKind): Executor {
  const { spec: _spec, metadata, ...executor } = raw as Executor;
  const { name, namespace, uid, resourceVersion, generation, deletionTimestamp } = metadata;
  const managedFields = (metadata.managedFields ?? []).filter(({ subresource }) => subresource === 'status');
  return {
    ...executor,
    kind,
    metadata: defined({
      name,
      namespace,
      uid,
      resourceVersion,
      generation,
      deletionTimestamp,
      managedFields,
    }),
  };
}

/**
 * A report without labels, owners and managedFields, and with the first material to end of all that it lists. What has not the
 * shape of a report, because another schema let it in, becomes a report about nobody.
 */
export function projectReport(raw: KubeObject): ExecutorPodStatus {
  const { apiVersion, kind, metadata, spec, status } = raw as ExecutorPodStatus;
  const { name, namespace, uid, resourceVersion } = metadata;
  const where = namespace === undefined ? namespace : texts.of(namespace);
  const bare = { apiVersion, kind, metadata: defined({ name, namespace: where, uid, resourceVersion }) };
  if (!isSpec(spec)) return { ...bare, spec: NOBODY };
  for (const said of [bare, spec.executorRef, spec.pod]) texts.in(said);
  return { ...bare, spec, ...(isStatus(status) && { status: sharing(withFirstEnd(status)) }) };
}

function sharing(status: ReportStatus): ReportStatus {
  for (const material of status.material ?? []) texts.in(material);
  return texts.in(status);
}

/** What reports say of one executor, and of one pod about many, is nearly always the same. */
const texts = new SharedTexts(50_000);

/** A pod cut down to a {@link Pod}; see `projectPod`. */
export function podProjection(ratifyContainer: string): (raw: KubeObject) => Pod {
  return (raw) => {
    const pod = projectPod(raw, ratifyContainer);
    const { metadata } = pod;
    const [name, uid] = [texts.of(metadata.name), texts.of(metadata.uid)];
    return { ...pod, metadata: { ...metadata, namespace: texts.of(metadata.namespace), name, uid } };
  };
}

const NOBODY: ReportSpec = { executorRef: { kind: 'Executor', name: '' }, pod: { name: '', uid: '' } };

function isSpec(spec: unknown): spec is ReportSpec {
  const { executorRef, pod } = (spec ?? {}) as Partial<Record<keyof ReportSpec, Record<string, unknown>>>;
  return (
    EXECUTOR_KINDS.some((kind) => kind === executorRef?.['kind']) &&
    areTexts(executorRef?.['name'], pod?.['name'], pod?.['uid']) &&
    isAbsentOr(executorRef?.['namespace'], isText)
  );
}

function isStatus(status: unknown): status is ReportStatus {
  const said = fieldsOf(status);
  return (
    areTexts(said['executorUID']) &&
    isWord(said['reason']) &&
    typeof said['executorGeneration'] === 'number' &&
    typeof said['succeeded'] === 'boolean' &&
    isAbsentOr(said['lastSucceededGeneration'], (generation) => typeof generation === 'number') &&
    isAbsentOr(said['lastTransitionTime'], (time) => time === '' || isTime(time)) &&
    TEXTS.every((name) => isAbsentOr(said[name], isText)) &&
    isAbsentOr(said['material'], (material) => isListOf(material, isMaterial)) &&
    isAbsentOr(said['warnings'], (warnings) => isListOf(warnings, isWarning))
  );
}

/** What else of a report is read as a text. */
const TEXTS = ['error', 'briefError', 'recoveredAt', 'materialDigest'] as const;

function isMaterial(material: unknown): boolean {
  const { path, source, notAfter } = fieldsOf(material);
  return areTexts(path, source) && isAbsentOr(notAfter, isText);
}

function isWarning(warning: unknown): boolean {
  const { code, message, path } = fieldsOf(warning);
  return isWord(code) && isText(message) && isAbsentOr(path, isText);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/**
 * What the CRD of the executors takes for a reason and for a code, whatever the words are: a newer writer knows some that we do not.
 * One that it does not take would keep the whole status of the executor from being stored.
 */
const isWord = (value: unknown) =>
  typeof value === 'string' && value.length <= 64 && /^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(value);
/** RFC 3339. */
const isTime = (value: unknown) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value));
const isText = (value: unknown) => typeof value === 'string';
const areTexts = (...values: readonly unknown[]) => values.every(isText);
const isAbsentOr = (value: unknown, is: (value: unknown) => boolean) => value === undefined || is(value);
const isListOf = (value: unknown, is: (member: unknown) => boolean) =>
  Array.isArray(value) && value.every(is);

/** Of many certificates in many reports, only the first to end is ever looked at. */
function withFirstEnd(status: ReportStatus): ReportStatus {
  const { material: all } = status;
  if (all === undefined) return status;
  const ends = (material: Material) => Date.parse(material.notAfter ?? '');
  const [first] = all.filter((material) => ends(material) > 0).toSorted((a, b) => ends(a) - ends(b));
  if (first !== undefined && all.length === 1) return status;
  const { material: _all, ...rest } = status;
  return first === undefined ? rest : { ...rest, material: [first] };
}

/** Without the members that are not there. */
function defined<T extends object>(object: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const present = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [Name in keyof T]: Exclude<T[Name], undefined> };
}
