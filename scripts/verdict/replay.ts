import { admit, type Environment, type Outcome, RatifySet, type Reconciled } from '@executor-status/executor';
import type { Vector, VectorStep } from './vector.ts';

/** The verdict of one step, as Ratify's reconciler would write it. */
export interface StepVerdict {
  readonly step: number;
  readonly ok: boolean;
  readonly crdValid: boolean;
  readonly code?: string;
  readonly path?: string;
  readonly message?: string;
  /** Set when the step failed only because another stored executor of its set is bad. */
  readonly blame?: { readonly kind: string; readonly namespace: string; readonly name: string };
}

/** The verdict of one vector. */
export interface VectorVerdict {
  readonly name: string;
  readonly ok: boolean;
  readonly crdValid: boolean;
  readonly steps: readonly StepVerdict[];
}

/** Applies the steps of a vector one after the other: one set for each namespace, and one for the cluster. */
export async function replay(vector: Vector, environment: Environment): Promise<VectorVerdict> {
  const sets = new Map<string, RatifySet>();
  const steps: StepVerdict[] = [];
  for (const [index, step] of vector.executors.entries()) {
    const namespace = step.namespace ?? '';
    const set = sets.get(namespace) ?? new RatifySet(environment);
    sets.set(namespace, set);
    steps.push(await apply(step, index, set));
  }
  return {
    name: vector.name,
    ok: steps.every(({ ok }) => ok),
    crdValid: steps.every(({ crdValid }) => crdValid),
    steps,
  };
}

async function apply(step: VectorStep, index: number, set: RatifySet): Promise<StepVerdict> {
  const { kind, name, namespace = '' } = step;
  if (step.op === 'delete') {
    set.delete({ kind, name });
    return { step: index, ok: true, crdValid: true };
  }
  const { valid, stored } = admit(step.spec);
  // What the API server refuses, Ratify would see as it is in a cluster whose CRD lacks the schema.
  const spec = valid ? stored : step.spec;
  const reconciled = await set.apply({ kind, namespace, name, uid: '', spec });
  return { step: index, ok: reconciled.outcome.succeeded, crdValid: valid, ...failure(reconciled) };
}

function failure({ outcome, blame }: Reconciled): Partial<StepVerdict> {
  return { ...words(outcome), ...(blame === undefined ? {} : { blame: named(blame) }) };
}

function words({ code, path, error }: Outcome): Partial<StepVerdict> {
  return {
    ...(code === undefined ? {} : { code }),
    ...(path === undefined ? {} : { path }),
    ...(error === undefined ? {} : { message: error }),
  };
}

function named({ kind, namespace = '', name }: { kind: string; namespace?: string; name: string }) {
  return { kind, namespace, name };
}
