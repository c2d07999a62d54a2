import { stat } from 'node:fs/promises';

/** How a path looks: equal looks mean that nothing changed there. */
export interface Look {
  readonly mark: string;
  /** When the file or folder behind all links last changed, in milliseconds since 1970; absent when nothing is there. */
  readonly changedAtMs?: number;
}

/**
 * The files that builds looked at, by the key of the executor. Looks at each path when asked: a changed file, a swapped
 * link (so Kubernetes updates a mounted Secret or ConfigMap) and a path that appears or vanishes all make a difference.
 */
export class WatchedFiles {
  readonly #look: (path: string) => Promise<Look>;
  readonly #followed = new Map<string, Followed>();

  /** @param look - how a path looks now; never rejects. */
  constructor(look: (path: string) => Promise<Look> = lookAt) {
    this.#look = look;
  }

  /**
   * Follows `paths` for `key` from now on, in place of earlier ones.
   *
   * @param builtSinceMs - when the build that read them began, in milliseconds since 1970: what changed after it may
   * have been read half, and counts as changed once.
   */
  async follow(key: string, paths: readonly string[], builtSinceMs: number): Promise<void> {
    const looks = await this.#lookAtAll(paths);
    const before = this.#followed.get(key);
    const late = [...looks.values()].some(({ changedAtMs }) => (changedAtMs ?? 0) >= builtSinceMs);
    // The second condition: a clock that is behind the file system's must not cause builds for ever.
    this.#followed.set(key, { looks, changed: late && !isSame(before?.looks, looks) });
  }

  forget(key: string): void {
    this.#followed.delete(key);
  }

  /** The keys for which something has changed since `follow`; each once, until it is followed again. */
  async changed(): Promise<readonly string[]> {
    const before = [...this.#followed];
    const now = await this.#lookAtAll(before.flatMap(([, { looks }]) => [...looks.keys()]));
    const changed: string[] = [];
    for (const [key, followed] of before) {
      // Followed anew, or forgotten, meanwhile: what was seen now is older.
      if (this.#followed.get(key) !== followed) continue;
      if (!followed.changed && isSame(followed.looks, now)) continue;
      changed.push(key);
      this.#followed.set(key, { looks: pick(now, followed.looks), changed: false });
    }
    return changed;
  }

  async #lookAtAll(paths: readonly string[]): Promise<Looks> {
    const looks = [...new Set(paths)].map(async (path) => [path, await this.#look(path)] as const);
    return new Map(await Promise.all(looks));
  }
}

type Looks = ReadonlyMap<string, Look>;

interface Followed {
  readonly looks: Looks;
  readonly changed: boolean;
}

/** Whether every path of `before` looks in `now` as it did. */
function isSame(before: Looks | undefined, now: Looks): boolean {
  return (
    before !== undefined && [...before].every(([path, { mark }]) => mark === (now.get(path)?.mark ?? mark))
  );
}

function pick(now: Looks, before: Looks): Looks {
  return new Map([...before].map(([path, look]) => [path, now.get(path) ?? look]));
}

async function lookAt(path: string): Promise<Look> {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path);
    return { mark: [dev, ino, size, mtimeMs, ctimeMs].join(':'), changedAtMs: ctimeMs };
  } catch (error) {
    // Not there, or not for us: that is how it looks.
    return { mark: error instanceof Error && 'code' in error ? String(error.code) : 'unknown' };
  }
}
