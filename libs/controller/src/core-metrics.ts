/** Label values by name; few and bounded: never a pod, a key or an error text. */
export type MetricLabels = Readonly<Record<string, string>>;

/** Where the core libraries report their figures. An implementation must not throw. */
export interface CoreMetrics {
  /** Adds `by` (default 1) to a counter. */
  count(name: string, labels: MetricLabels, by?: number): void;
  /** Records one value of a histogram, in the unit that ends the name. */
  observe(name: string, labels: MetricLabels, value: number): void;
  /** Sets a gauge. */
  gauge(name: string, labels: MetricLabels, value: number): void;
}

/** One figure that a library reports: what an implementation needs to declare it. */
export interface MetricSpec {
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly help: string;
  readonly labels: readonly string[];
}

/** Throws every figure away. */
export const noMetrics: CoreMetrics = { count: () => {}, observe: () => {}, gauge: () => {} };
