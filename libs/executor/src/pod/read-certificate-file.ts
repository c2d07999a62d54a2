import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Most bytes of one file: far beyond any bundle of certificates, and little enough for a small container. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Reads a whole file. Does not wait for the writer of a named pipe. Rejects when it cannot be read or is too large. */
export async function readCertificateFile(path: string): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(64 * 1024), 0, 64 * 1024, null);
      if (bytesRead === 0) return Buffer.concat(chunks);
      bytes += bytesRead;
      if (bytes > MAX_FILE_BYTES) throw new RangeError(`more than ${MAX_FILE_BYTES} bytes`);
      chunks.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
