/** A free probe port, and no waits that only a large cluster needs. */
export const WRITER_TEST_FLAGS: readonly string[] = [
  '--probe-host=127.0.0.1',
  '--probe-port=0',
  '--start-jitter=0s',
  '--park-retry=200ms',
  '--file-poll=100ms',
  '--qps=500',
  '--burst=500',
];
