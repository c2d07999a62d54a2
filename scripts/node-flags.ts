/**
 * What Node is told in the images, and so in the benchmarks: a small young generation and few threads cost some speed that
 * nothing here needs, and keep a sidecar beside every Ratify pod small. The ceilings of the old generation lie above what the
 * largest published size needs, so that they end a leak and nothing else; in MiB.
 */
export const NODE_FLAGS: Readonly<Record<'executor-writer' | 'status-aggregator', readonly string[]>> = {
  'executor-writer': ['--max-semi-space-size=1', '--max-old-space-size=64', '--v8-pool-size=1'],
  'status-aggregator': ['--max-semi-space-size=2', '--max-old-space-size=256', '--v8-pool-size=1'],
};
