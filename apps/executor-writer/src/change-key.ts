import { REFRESH_ANNOTATION } from '@executor-status/api';

/** What of an executor's metadata decides whether it is built again. */
export interface ChangeKeyed {
  readonly metadata: {
    readonly uid?: string;
    readonly generation?: number;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/**
 * The text that is new when an executor must be built again: uid, generation and the value of the refresh annotation.
 * Status writes, labels and other annotations leave it as it is.
 */
export function changeKey(executor: ChangeKeyed): string {
  const { uid = '', generation = 0, annotations } = executor.metadata;
  return `${uid}/${generation}/${annotations?.[REFRESH_ANNOTATION] ?? ''}`;
}
