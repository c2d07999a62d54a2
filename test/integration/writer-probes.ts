import type { AppProcess } from '../support/app-process.ts';

/** Asks a running app on its probe port. */
export async function probe(app: AppProcess, path: string): Promise<Response> {
  const { port } = await app.waitForLog((line) => typeof line['port'] === 'number');
  return fetch(`http://127.0.0.1:${String(port)}${path}`);
}

/** The sum of all series of a metric. */
export async function metric(app: AppProcess, name: string): Promise<number> {
  const text = await (await probe(app, '/metrics')).text();
  const values = text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'));
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0);
}
