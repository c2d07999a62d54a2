import type { Http2Client, LoadRequest } from './http2-client.ts';

/** Sends the requests of one job, and counts them. */
export class SentRequests {
  readonly #client: Http2Client;
  requests = 0;
  /** What went wrong, at most five of them. */
  readonly failures: string[] = [];

  constructor(client: Http2Client) {
    this.#client = client;
  }

  /** Sends a request and returns the text of its answer. */
  async send(request: LoadRequest): Promise<string> {
    this.requests++;
    const { code, text } = await this.#client.send(request);
    if (code >= 300 && this.failures.length < 5) {
      this.failures.push(`${request.method} ${request.path}: HTTP ${code}: ${text.slice(0, 300)}`);
    }
    return text;
  }
}
