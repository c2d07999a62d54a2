import { type ReportStatus } from '@executor-status/api';
import { expect } from 'chai';
import { fullReportStatus, minimalReportStatus, POD, report } from '../contract/full-report.ts';
import { APPLY_PATCH, type ApiObject } from '../support/control-plane.ts';
import { kstatus } from '../support/kstatus.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';

/** What a report can be like, by what a generic tool might stumble over. */
const STATES: Record<string, ReportStatus | undefined> = {
  'not reported yet': undefined,
  built: minimalReportStatus,
  'built at a late generation': { ...minimalReportStatus, executorGeneration: 2 ** 53 - 1 },
  'built with every field': {
    ...fullReportStatus,
    succeeded: true,
    reason: 'Built',
    error: '',
    briefError: '',
  },
  'built with empty lists': { ...minimalReportStatus, material: [], warnings: [], error: '', briefError: '' },
  'built with material': { ...minimalReportStatus, material: fullReportStatus.material },
  'built with warnings': { ...minimalReportStatus, warnings: fullReportStatus.warnings },
  recovered: { ...minimalReportStatus, recoveredAt: '2026-08-06T09:50:44Z' },
  'failing with every field': fullReportStatus,
  'failing, and never built': { ...fullReportStatus, lastSucceededGeneration: 0 },
  'failing, and its set with it': { ...fullReportStatus, blocksSet: true },
  ...Object.fromEntries(
    (
      [
        'ConfigInvalid',
        'CredentialsInvalid',
        'ProviderUnreachable',
        'ProviderThrottled',
        'ProviderDenied',
        'CredentialsExpired',
        'IdentityNotInjected',
        'BuildTimedOut',
        'BuildFailed',
      ] as const
    ).map((reason) => [`failing with ${reason}`, { ...fullReportStatus, reason }]),
  ),
};

describe('kstatus and reports', function () {
  // Its first run on a machine builds kstatus.
  this.timeout(300_000);
  const controlPlane = useControlPlane();

  it('AP-3 B08 is Current in 20 states', async () => {
    const namespace = await controlPlane().createNamespace('kstatus');
    const reports = `/apis/status.ratify.sh/v1alpha1/namespaces/${namespace}/executorpodstatuses`;
    const { admin } = controlPlane();
    const objects = await Promise.all(
      Object.values(STATES).map(async (status, at) => {
        const { apiVersion, kind, spec } = report();
        const metadata = { name: `${POD.name}-${at}` };
        const created = await admin.call<ApiObject>(`POST ${reports}`, { apiVersion, kind, metadata, spec });
        if (status === undefined) return created;
        const query = { fieldManager: 'executor-writer', force: true };
        return await admin.call<ApiObject>(
          `PATCH ${reports}/${metadata.name}/status`,
          { apiVersion, kind, status },
          { contentType: APPLY_PATCH, query },
        );
      }),
    );
    const answers = await kstatus(objects);
    const said = Object.fromEntries(Object.keys(STATES).map((state, at) => [state, answers[at]?.status]));
    expect(Object.keys(said)).to.have.lengthOf(20);
    expect(said).to.deep.equal(Object.fromEntries(Object.keys(STATES).map((state) => [state, 'Current'])));
  });
});
