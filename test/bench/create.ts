import type { Aggregation } from './aggregation.ts';
import { measureReports } from './measure-reports.ts';

/** All reports are created with a status, in random order. */
export async function measureCreate(aggregation: Aggregation): Promise<void> {
  const { targets } = aggregation;
  await measureReports(aggregation, 'create', { kind: 'create', targets, seed: 1 });
}
