/** One step of a vector: an executor as it is applied, or deleted. */
export interface VectorStep {
  readonly kind: 'Executor' | 'NamespacedExecutor';
  readonly namespace?: string;
  readonly name: string;
  readonly op?: string;
  readonly spec?: unknown;
}

/** One line of a vector file, as far as judging needs it. */
export interface Vector {
  readonly name: string;
  readonly environ?: Readonly<Record<string, string>>;
  readonly executors: readonly VectorStep[];
}

/** Reads one line. Throws an `Error` when it is no vector. */
export function readVector(line: string): Vector {
  const vector: unknown = JSON.parse(line);
  if (typeof vector !== 'object' || vector === null || !('name' in vector) || !('executors' in vector)) {
    throw new Error('a vector has a name and executors');
  }
  if (!Array.isArray(vector.executors)) throw new Error('executors is a list');
  return vector as Vector;
}
