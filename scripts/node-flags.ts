/**
 * What Node is told in the images, and in the benchmarks of the apps: a small young generation and few threads cost some speed that
 * nothing here needs, and keep a sidecar beside every Ratify pod small. The ceilings of the old generation lie above what the
 * largest published size needs, so that they end a leak and nothing else; in MiB. A writer works for a moment now and then:
 * without the optimizing compilers and with a heap made for size it needs 10 MiB less, and still judges 5,700 recorded specs a
 * second instead of 9,000. (Not `--lite-mode`, which would need as little: it has no WebAssembly, and so no HTTP/1.1.)
 */
export const NODE_FLAGS: Readonly<Record<'executor-writer' | 'status-aggregator', readonly string[]>> = {
  'executor-writer': [
    '--max-semi-space-size=1',
    '--max-old-space-size=64',
    '--v8-pool-size=1',
    '--no-opt',
    '--no-maglev',
    '--optimize-for-size',
  ],
  'status-aggregator': ['--max-semi-space-size=8', '--max-old-space-size=256', '--v8-pool-size=1'],
};

/**
 * What both find in their environment besides: one arena of malloc instead of one for each thread, which gives back what it has
 * free beyond 64 KiB (half as much as by default, and without the growth that glibc else allows itself), and production mode.
 */
export const NODE_ENVIRONMENT = {
  NODE_ENV: 'production',
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
} as const;
