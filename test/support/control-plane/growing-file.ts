import { open } from 'node:fs/promises';

/** How much is read at once, in bytes. */
const CHUNK_BYTES = 1_048_576;

/**
 * Reads a file of lines that another process appends to.
 *
 * @returns a function that gives the complete lines added since its last call; none while the file does
 *   not exist. Calls must not overlap.
 */
export function growingFile(path: string): () => Promise<readonly string[]> {
  let position = 0;
  let rest = Buffer.alloc(0);
  return async () => {
    const file = await open(path).catch(() => undefined); // Not there yet.
    if (file === undefined) return [];
    try {
      const chunks = [rest];
      for (;;) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, position);
        if (bytesRead === 0) break;
        position += bytesRead;
        chunks.push(buffer.subarray(0, bytesRead));
      }
      const bytes = Buffer.concat(chunks);
      const end = bytes.lastIndexOf(0x0a) + 1;
      rest = bytes.subarray(end);
      return bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
    } finally {
      await file.close();
    }
  };
}
