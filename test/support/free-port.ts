import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Finds a TCP port on which nobody listens at 127.0.0.1.
 *
 * It lies below the range from which kernels take ports for outgoing connections (32768 on Linux), so
 * a server may stop and come back without finding its port taken by somebody's connection.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
