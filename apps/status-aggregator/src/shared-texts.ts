/**
 * One copy of each text, for thousands of objects that say the same: less memory, and comparing two of them looks at neither.
 * Bounded: when there are too many texts, it begins anew, and what is out there stays as it is.
 */
export class SharedTexts {
  readonly #max: number;
  readonly #known = new Map<string, string>();

  /** @param max - how many texts are kept. */
  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#known.size;
  }

  /** The first text that was equal to `text`. */
  of(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= this.#max) this.#known.clear();
    this.#known.set(text, text);
    return text;
  }

  /** `object` itself, with shared texts in the place of its own, as far as they are short. */
  in<T extends object>(object: T): T {
    for (const [name, value] of Object.entries(object)) {
      if (typeof value === 'string' && value.length <= MAX_LENGTH) Reflect.set(object, name, this.of(value));
    }
    return object;
  }
}

/** In UTF-16 units. Long texts are errors, which differ. */
const MAX_LENGTH = 100;
