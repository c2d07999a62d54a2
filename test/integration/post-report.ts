import { type ExecutorPodStatus, REPORT_PLURAL, STATUS_GROUP, STATUS_VERSION } from '@executor-status/api';
import { type ReportFields, report } from '../support/builders.ts';
import type { ApiClient, Pod } from '../support/control-plane.ts';

/** Where reports of a namespace are. */
export function reportsPath(namespace: string): string {
  return `/apis/${STATUS_GROUP}/${STATUS_VERSION}/namespaces/${namespace}/${REPORT_PLURAL}`;
}

/** Makes the report of `pod` by hand, or replaces its status. */
export async function postReport(
  admin: ApiClient,
  { name, uid, namespace }: Pod,
  fields: ReportFields,
): Promise<ExecutorPodStatus> {
  const wanted = report({ pod: name, podUID: uid, namespace, ...fields });
  const { status, ...object } = wanted;
  const { uid: _uid, resourceVersion: _version, ...metadata } = object.metadata;
  const path = reportsPath(namespace);
  const { code, body } = await admin.request(`POST ${path}`, { ...object, metadata });
  if (code >= 400 && code !== 409) throw new Error(`cannot make a report: ${JSON.stringify(body)}`);
  if (status !== undefined) {
    // A merge would keep the error of an earlier report.
    const whole = { error: null, briefError: null, ...status };
    await admin.call(`PATCH ${path}/${metadata.name}/status`, { status: whole });
  }
  return wanted;
}
