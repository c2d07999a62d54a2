// Loaded before an app: says at its end how long its event loop was blocked at most, in the file that the environment names.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
const file = process.env['EVENT_LOOP_FILE'] ?? '';
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
// Loading the modules of the app is no work of its loop.
setTimeout(() => delays.reset(), 0);
process.on('exit', () => {
  writeFileSync(file, JSON.stringify({ maxMs: Math.max(0, delays.max / 1e6 - RESOLUTION_MS) }));
});
