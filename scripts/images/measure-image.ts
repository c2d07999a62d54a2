import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** How large an image is on a node, and on its way there. */
export interface ImageSize {
  readonly unpackedBytes: number;
  /** As registries keep it: compressed with gzip. */
  readonly packedBytes: number;
}

/** Measures an archive of an image whose layers are not compressed. */
export async function measureImage(archive: string): Promise<ImageSize> {
  let packedBytes = 0;
  const counter = new Writable({
    write(chunk: Buffer, _encoding, done) {
      packedBytes += chunk.length;
      done();
    },
  });
  await pipeline(createReadStream(archive), createGzip(), counter);
  return { unpackedBytes: (await stat(archive)).size, packedBytes };
}
