import { readdirSync } from 'node:fs';
import { Counter, Gauge, type Registry } from 'prom-client';

/**
 * Adds what Prometheus expects of every process, under its usual names. prom-client's own set has ten times as many series,
 * most of them of the garbage collector.
 */
export function addProcessMetrics(registry: Registry): void {
  for (const { name, help, read } of GAUGES) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
  }
  const cpu: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'User and system time in seconds.',
    registers: [registry],
    collect: () => {
      cpu.reset();
      cpu.inc(cpuSeconds());
    },
  });
}

const GAUGES: readonly { readonly name: string; readonly help: string; readonly read: () => number }[] = [
  {
    name: 'process_resident_memory_bytes',
    help: 'Resident memory in bytes.',
    read: () => process.memoryUsage.rss(),
  },
  {
    name: 'nodejs_heap_size_used_bytes',
    help: 'Used JavaScript heap in bytes.',
    read: () => process.memoryUsage().heapUsed,
  },
  {
    name: 'process_open_fds',
    help: 'Open file descriptors; 0 where they cannot be counted.',
    read: openFiles,
  },
  {
    name: 'process_start_time_seconds',
    help: 'Start time in seconds since 1970.',
    read: () => performance.timeOrigin / 1000,
  },
];

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0; // No /proc, as on macOS.
  }
}
