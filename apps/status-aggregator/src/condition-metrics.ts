import { type Executor, isOwnCondition } from '@executor-status/api';
import type { MetricLabels, Metrics } from '@executor-status/process';

const NAME = 'executor_condition';

/**
 * Shows the conditions of executors as figures: 1 for the status that each has, and no series for the two that it has not, so
 * that an executor costs at most ten.
 */
export class ConditionMetrics {
  readonly #metrics: Pick<Metrics, 'gauge' | 'forget'>;
  #shown: ReadonlyMap<string, MetricLabels> = new Map();

  constructor(metrics: Pick<Metrics, 'gauge' | 'forget'>) {
    this.#metrics = metrics;
  }

  /** Shows these executors, as they are stored, and no others. */
  show(executors: Iterable<Executor>): void {
    const wanted = new Map<string, MetricLabels>();
    for (const executor of executors) {
      for (const labels of labelsOf(executor)) wanted.set(JSON.stringify(labels), labels);
    }
    for (const [key, labels] of this.#shown) if (!wanted.has(key)) this.#metrics.forget(NAME, labels);
    for (const [key, labels] of wanted) if (!this.#shown.has(key)) this.#metrics.gauge(NAME, labels, 1);
    this.#shown = wanted;
  }
}

function labelsOf({ kind, metadata: { namespace = '', name }, status }: Executor): MetricLabels[] {
  // A type of another manager could be any text.
  const own = (status?.conditions ?? []).filter(({ type }) => isOwnCondition(type));
  return own.map((condition) => ({ kind, namespace, name, type: condition.type, status: condition.status }));
}
