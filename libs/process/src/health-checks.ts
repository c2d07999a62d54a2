/** Tells why something is not well, in a few words without secrets; `undefined` when it is. Must not block or throw. */
export type Check = () => string | undefined;

/** One answer of a check. */
export interface CheckResult {
  readonly name: string;
  /** Why it is not well; `undefined` when it is. */
  readonly failure: string | undefined;
}

/** The named checks behind one probe path. */
export class HealthChecks {
  readonly #checks = new Map<string, Check>();

  /** Adds a check, or replaces the one of that name. Returns what removes it again. */
  add(name: string, check: Check): () => void {
    this.#checks.set(name, check);
    return () => {
      if (this.#checks.get(name) === check) this.#checks.delete(name);
    };
  }

  /** Removes the check of that name, if there is one. */
  remove(name: string): void {
    this.#checks.delete(name);
  }

  /** Removes every check. */
  clear(): void {
    this.#checks.clear();
  }

  /** Asks every check now, in the order they were added. A check that throws has failed. */
  results(): CheckResult[] {
    return [...this.#checks].map(([name, check]) => ({ name, failure: ask(check) }));
  }
}

function ask(check: Check): string | undefined {
  try {
    return check();
  } catch (error) {
    return `the check itself failed: ${error instanceof Error ? error.message : 'no reason given'}`;
  }
}
