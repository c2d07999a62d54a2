/** Which executor object had a name when: each removal and new creation begins another life. Pure. */
export class ExecutorLives {
  readonly #lives = new Map<string, { readonly uid: string; readonly sinceMs: number }[]>();

  /** @param sinceMs - a time before which the executor was not there, since 1970. */
  begin(name: string, uid: string, sinceMs: number): void {
    const lives = this.#lives.get(name) ?? [];
    if (lives.at(-1)?.uid === uid) return;
    this.#lives.set(name, [...lives, { uid, sinceMs }]);
  }

  uidAt(name: string, atMs: number): string | undefined {
    return this.#lives.get(name)?.findLast(({ sinceMs }) => sinceMs <= atMs)?.uid;
  }
}
