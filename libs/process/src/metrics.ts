export type MetricLabels = Readonly<Record<string, string>>;

/** Where the libraries count. Never throws: a metric must not break the work that it counts. */
export interface Metrics {
  /** Adds `by` (default 1) to a counter. */
  count(name: string, labels?: MetricLabels, by?: number): void;
  /** Adds one observation to a histogram; times in seconds. */
  observe(name: string, labels: MetricLabels, value: number): void;
  /** Sets a gauge. */
  gauge(name: string, labels: MetricLabels, value: number): void;
  /** Drops every series of a gauge that carries these labels, as when its object is gone. */
  forget(name: string, labels: MetricLabels): void;
  /** Everything in the text format of Prometheus. */
  render(): Promise<string>;
}

/** A metric that is known from the start: it shows in `/metrics` and in the docs before it was ever counted. */
export interface MetricDeclaration {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels?: readonly string[];
  /** Upper bounds of a histogram; those of Prometheus (5 ms to 10 s) when left out. */
  readonly buckets?: readonly number[];
}
