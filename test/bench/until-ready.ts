import { probe } from '../integration/writer-probes.ts';
import type { AppProcess } from '../support/app-process.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Waits until an app answers its readiness probe with yes. */
export async function untilReady(app: AppProcess, deadlineMs = 60_000): Promise<void> {
  const ready = async () => (await probe(app, '/readyz')).status === 200;
  await waitUntil(ready, { what: 'readiness', deadlineMs, everyMs: 20 });
}
