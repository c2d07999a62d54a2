import { fileURLToPath } from 'node:url';
import { EXECUTOR_PLURALS, REPORT_PLURAL } from '@executor-status/api';

/** The plural names of everything that has a CRD here. */
export const PROJECT_PLURALS: readonly string[] = [REPORT_PLURAL, ...Object.values(EXECUTOR_PLURALS)];

/** The files of the project's CRDs, those of the executors included. */
export const PROJECT_CRDS: readonly string[] = PROJECT_PLURALS.map((plural) =>
  fileURLToPath(new URL(`../../crds/${plural}.yaml`, import.meta.url)),
);
