import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import type { ApiAccess } from '../support/control-plane/api-client.ts';

/** A watch that only counts what it is told, in events and in bytes as they leave the API server. */
export class WatchMeter implements Disposable {
  events = 0;
  bytes = 0;
  readonly #request: ClientRequest;

  /**
   * @param path - of a collection.
   * @param accept - the media type asked for.
   */
  constructor(access: ApiAccess, path: string, accept = 'application/json') {
    const { url, ca, client } = access;
    const identity = 'token' in client ? {} : { cert: client.certificate, key: client.key };
    const options = { ca, ...identity, headers: { accept }, agent: false };
    this.#request = request(new URL(`${path}?watch=true`, url), options, (answer) => {
      const lines = createInterface(answer).on('line', (line) => {
        this.events++;
        this.bytes += Buffer.byteLength(line) + 1;
      });
      lines.on('error', () => {});
    });
    // It ends with the control plane.
    this.#request.on('error', () => {});
    this.#request.end();
  }

  /** Counts anew: a watch first tells what there is. */
  reset(): void {
    this.events = 0;
    this.bytes = 0;
  }

  [Symbol.dispose](): void {
    this.#request.destroy();
  }
}

/** What a writer asks of a watch on executors. */
export const METADATA_ONLY = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
