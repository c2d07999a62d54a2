import type { ReportStatus } from '@executor-status/api';
import type { ExpectedReports } from './expected-reports.ts';

/** A report as the API server has it. */
export interface StoredReport {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly pod: { readonly name: string; readonly uid: string };
    readonly executorRef: { readonly name: string; readonly namespace?: string };
  };
  readonly status?: ReportStatus;
}

/** What the reports of some pods shall say. */
export interface Wanted {
  readonly pods: readonly { readonly name: string; readonly uid: string }[];
  readonly expected: ExpectedReports;
}

/** What is wrong with the reports as they are now: one line each; nothing if each pod says the truth of each executor, and of no other. */
export function wrongReports(
  reports: readonly StoredReport[],
  { pods, expected }: Wanted,
): readonly string[] {
  const found = new Map(
    reports.map((report) => [`${report.spec.pod.uid} ${report.spec.executorRef.name}`, report]),
  );
  const wrong: string[] = [];
  for (const pod of pods) {
    for (const executor of expected.executors) {
      const report = found.get(`${pod.uid} ${executor.name}`);
      found.delete(`${pod.uid} ${executor.name}`);
      const said = report?.status;
      const right =
        said?.executorUID === executor.uid &&
        said.executorGeneration === executor.generation &&
        said.succeeded === executor.good;
      if (!right) wrong.push(`${pod.name} about ${JSON.stringify(executor)}: ${JSON.stringify(said)}`);
    }
  }
  for (const { metadata } of found.values()) wrong.push(`${metadata.name} is about nothing`);
  return wrong;
}
