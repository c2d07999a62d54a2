/**
 * What Node is told in the images, and so in the benchmarks: a small young generation and few threads cost some speed that
 * nothing here needs, and keep a sidecar beside every Ratify pod small. The ceilings of the old generation lie above what the
 * largest published size needs, so that they end a leak and nothing else; in MiB. A writer works for a moment now and then:
 * without the slower one of the two optimizing compilers it needs 7 MiB less, and a large spec takes no longer.
 */
export const NODE_FLAGS: Readonly<Record<'executor-writer' | 'status-aggregator', readonly string[]>> = {
  'executor-writer': ['--max-semi-space-size=1', '--max-old-space-size=64', '--v8-pool-size=1', '--no-opt'],
  'status-aggregator': ['--max-semi-space-size=8', '--max-old-space-size=256', '--v8-pool-size=1'],
};

/** What both find in their environment besides: one arena of malloc instead of one for each thread, and production mode. */
export const NODE_ENVIRONMENT = { NODE_ENV: 'production', MALLOC_ARENA_MAX: '1' } as const;
