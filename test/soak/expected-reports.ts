/** An executor of the model: what the API server said when it was last made or changed. */
export interface ExpectedExecutor {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  /** Whether it builds in every pod. */
  readonly good: boolean;
}

/** What the reports must say in the end, and what each generation may ever be said to be. Pure. */
export class ExpectedReports {
  readonly #executors = new Map<string, ExpectedExecutor>();
  /** By uid and generation: whether it builds. */
  readonly #truth = new Map<string, boolean>();

  /** The executors that there are now. */
  get executors(): readonly ExpectedExecutor[] {
    return [...this.#executors.values()];
  }

  applied(executor: ExpectedExecutor): void {
    this.#executors.set(executor.name, executor);
    this.#truth.set(key(executor.uid, executor.generation), executor.good);
  }

  removed(name: string): void {
    this.#executors.delete(name);
  }

  get(name: string): ExpectedExecutor | undefined {
    return this.#executors.get(name);
  }

  /** Whether a generation builds; `undefined` for one that never was. */
  truth(uid: string, generation: number): boolean | undefined {
    return this.#truth.get(key(uid, generation));
  }
}

const key = (uid: string, generation: number) => `${uid}/${generation}`;
