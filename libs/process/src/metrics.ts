import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { addProcessMetrics } from './process-metrics.ts';

export type MetricLabels = Readonly<Record<string, string>>;

/** Where the libraries count. Never throws: a metric must not break the work that it counts. */
export interface Metrics {
  /** Adds `by` (default 1) to a counter. */
  count(name: string, labels?: MetricLabels, by?: number): void;
  /** Adds one observation to a histogram; times in seconds. */
  observe(name: string, labels: MetricLabels, value: number): void;
  /** Sets a gauge. */
  gauge(name: string, labels: MetricLabels, value: number): void;
  /** Drops every series of `name` that carries these labels, as when its object is gone. */
  forget(name: string, labels: MetricLabels): void;
  /** Everything in the text format of Prometheus. */
  render(): Promise<string>;
}

/** A metric that is known from the start: it stands in `/metrics` and in the docs before it was ever counted. */
export interface MetricDeclaration {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels?: readonly string[];
  /** Upper bounds of a histogram; those of Prometheus (5 ms to 10 s) when left out. */
  readonly buckets?: readonly number[];
}

/**
 * Counters, gauges and histograms, and five figures of the process itself. A metric that nobody declared comes into being
 * when it is first counted, with the labels of that time; its help says that it is undocumented.
 */
export function createMetrics(declarations: readonly MetricDeclaration[] = []): Metrics {
  const registry = new Registry();
  const metrics = new Map<string, Metric>();
  const named = (kind: MetricDeclaration['kind'], name: string, labels: MetricLabels): Metric | undefined => {
    const known = metrics.get(name) ?? newMetric(registry, undocumented(kind, name, labels));
    metrics.set(name, known);
    return known.kind === kind ? known : undefined;
  };
  for (const declaration of declarations) metrics.set(declaration.name, newMetric(registry, declaration));
  addProcessMetrics(registry);

  return {
    count: (name, labels = {}, by = 1) => named('counter', name, labels)?.take(labels, by),
    observe: (name, labels, value) => named('histogram', name, labels)?.take(labels, value),
    gauge: (name, labels, value) => named('gauge', name, labels)?.take(labels, value),
    forget: (name, labels) => metrics.get(name)?.forget(labels),
    render: () => registry.metrics(),
  };
}

interface Metric {
  readonly kind: MetricDeclaration['kind'];
  take(labels: MetricLabels, value: number): void;
  forget(labels: MetricLabels): void;
}

function undocumented(
  kind: MetricDeclaration['kind'],
  name: string,
  labels: MetricLabels,
): MetricDeclaration {
  return { kind, name, help: 'undocumented', labels: Object.keys(labels) };
}

function newMetric(registry: Registry, declaration: MetricDeclaration): Metric {
  const { kind, labels: labelNames = [] } = declaration;
  const { take, remove } = instrument(registry, declaration);
  const series = new Map<string, Record<string, string>>();
  return {
    kind,
    take: (labels, value) => {
      if (!Number.isFinite(value) || (kind === 'counter' && value < 0)) return;
      const own = Object.fromEntries(labelNames.map((label) => [label, labels[label] ?? '']));
      if (labelNames.length > 0) series.set(JSON.stringify(own), own);
      take(own, value);
    },
    forget: (labels) => {
      for (const [key, own] of series) {
        if (!Object.entries(labels).every(([label, value]) => own[label] === value)) continue;
        series.delete(key);
        remove(own);
      }
    },
  };
}

interface Instrument {
  readonly take: (labels: Record<string, string>, value: number) => void;
  readonly remove: (labels: Record<string, string>) => void;
}

function instrument(
  registry: Registry,
  { kind, name, help, labels = [], buckets }: MetricDeclaration,
): Instrument {
  const common = { name, help, labelNames: labels, registers: [registry] };
  switch (kind) {
    case 'counter': {
      const counter = new Counter(common);
      return { take: (own, by) => counter.inc(own, by), remove: (own) => counter.remove(own) };
    }
    case 'gauge': {
      const gauge = new Gauge(common);
      return { take: (own, value) => gauge.set(own, value), remove: (own) => gauge.remove(own) };
    }
    case 'histogram': {
      const histogram = new Histogram({
        ...common,
        ...(buckets === undefined ? {} : { buckets: [...buckets] }),
      });
      return { take: (own, value) => histogram.observe(own, value), remove: (own) => histogram.remove(own) };
    }
  }
}
