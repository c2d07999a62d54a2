import type { ReportStatus } from '@executor-status/api';
import type { AuditEntry } from '../support/control-plane.ts';
import type { ExpectedReports } from './expected-reports.ts';

/** Looks through the status writes that the API server stored. */
export class WriteLedger {
  readonly #expected: ExpectedReports;
  /** By report and executor uid: the newest generation of which it has spoken. */
  readonly #newest = new Map<string, number>();

  constructor(expected: ExpectedReports) {
    this.#expected = expected;
  }

  /**
   * Takes in the next writes, in the order in which they were stored. Returns what was wrong with them: a verdict that is
   * not that of its generation, or an older generation after a newer one of the same executor.
   */
  check(writes: readonly AuditEntry[]): readonly string[] {
    return writes.flatMap(({ name, body }) => {
      const { executorUID: uid, executorGeneration: generation, succeeded } = statusIn(body);
      const truth = this.#expected.truth(uid, generation);
      const before = this.#newest.get(`${name} ${uid}`) ?? 0;
      this.#newest.set(`${name} ${uid}`, Math.max(before, generation));
      return [
        ...(truth === succeeded
          ? []
          : [`${name} said ${succeeded} of generation ${generation}: it is ${truth}`]),
        ...(generation >= before ? [] : [`${name} said generation ${generation} after ${before}`]),
      ];
    });
  }
}

function statusIn(body: unknown): ReportStatus {
  return (body as { readonly status: ReportStatus }).status;
}
