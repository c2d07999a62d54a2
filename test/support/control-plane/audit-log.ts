import { waitUntil } from '../wait-until.ts';
import { type AuditEntry, type AuditFilter, type AuditMark, matches, parseAuditLine } from './audit-entry.ts';
import { growingFile } from './growing-file.ts';

/**
 * The requests that an API server answered since its first start; restarts continue the log.
 *
 * The log is written a little after the answer. So each question here first sends a request of its own
 * (kept out of the results) and waits until that is in the log: what was answered before is then in too.
 */
export class AuditLog {
  readonly #lines: () => Promise<readonly string[]>;
  readonly #file: string;
  readonly #knock: (path: string) => Promise<unknown>;
  readonly #entries: AuditEntry[] = [];
  readonly #heard = new Set<string>();
  #knocks = 0;
  #reading: Promise<void> = Promise.resolve();

  /**
   * @param file - where the API server writes it.
   * @param knock - sends a GET for a URL path; rejects if the API server does not answer.
   */
  constructor(file: string, knock: (path: string) => Promise<unknown>) {
    this.#file = file;
    this.#lines = growingFile(file);
    this.#knock = knock;
  }

  /** The entries that match, oldest first. */
  async entries(filter: AuditFilter = {}): Promise<readonly AuditEntry[]> {
    await this.#catchUp();
    return this.#entries.slice(filter.since ?? 0).filter((entry) => matches(entry, filter));
  }

  /** How many entries match. */
  async count(filter: AuditFilter = {}): Promise<number> {
    return (await this.entries(filter)).length;
  }

  /** The position after everything answered so far, for `since`. */
  async mark(): Promise<AuditMark> {
    await this.#catchUp();
    return this.#entries.length as AuditMark;
  }

  /**
   * Waits for at least one matching entry.
   *
   * @returns all that match then.
   * @throws {Error} after `deadlineMs`, 15,000 ms by default.
   */
  async waitFor(filter: AuditFilter, deadlineMs = 15_000): Promise<readonly AuditEntry[]> {
    const what = `an audit entry with ${JSON.stringify(filter)}`;
    const found = async () => {
      const entries = await this.entries(filter);
      return entries.length > 0 ? entries : undefined;
    };
    return await waitUntil(found, { what, deadlineMs });
  }

  async #catchUp(): Promise<void> {
    this.#knocks += 1;
    const path = `${KNOCK}${this.#knocks}`;
    const answered = await this.#knock(path).then(
      () => true,
      () => false, // Nobody answers, so nothing more is being written.
    );
    await this.#read();
    if (!answered) return;
    const heard = async () => {
      if (!this.#heard.has(path)) await this.#read();
      return this.#heard.delete(path);
    };
    await waitUntil(heard, { what: `${path} in ${this.#file}`, everyMs: 10 });
  }

  #read(): Promise<void> {
    const next = this.#reading.then(async () => {
      for (const line of await this.#lines()) {
        const entry = parseAuditLine(line);
        if (entry?.uri.startsWith(KNOCK) === true) this.#heard.add(entry.uri);
        else if (entry !== undefined) this.#entries.push(entry);
      }
    });
    this.#reading = next.catch(() => undefined); // The caller of this read sees the error.
    return next;
  }
}

const KNOCK = '/audit-log-knock/';
