import { createHash } from 'node:crypto';
import type { Material, Warning } from '@executor-status/api';
import { boundText, redact } from '@executor-status/api';
import type { Environment } from '../environment.ts';
import { WARNING_CODES, type WarningCode } from './warning-codes.ts';

/** Most UTF-8 bytes of a warning's message, as the report's schema has it. */
const MAX_WARNING_BYTES = 256;
/** Most warnings of one code: a report shows five in all, and a spec of 1 MB may give cause for thousands. */
const MAX_PER_CODE = 5;
const WEIGHTS: readonly string[] = Object.keys(WARNING_CODES);
/** Hex digits of a SHA-256 that a report shows. */
const DIGEST_DIGITS = 16;

/** What a build looks at, and what it notes down on its way. One per build. */
export interface BuildContext {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  readonly notes: BuildNotes;
}

/** Somebody outside the process whom a build waits for. */
export interface Waiting {
  /** Where in the spec it is asked for. */
  readonly path: string;
  /** In words, as it follows "no answer yet for". */
  readonly what: string;
}

/** Warnings, material and files of one build, and whom it waits for. */
export class BuildNotes {
  /** Whom the build asked last; `undefined` before the first one. */
  waiting: Waiting | undefined;
  readonly #warnings = new Map<string, Warning>();
  readonly #noted = new Map<WarningCode, number>();
  readonly #material: Material[] = [];
  readonly #files = new Set<string>();

  /** Notes a warning; the same one twice counts once, and of each code only the first ones. `found` says what it is about. */
  warn(code: WarningCode, path: string, found?: string): void {
    const noted = this.#noted.get(code) ?? 0;
    if (noted >= MAX_PER_CODE) return;
    const text = found === undefined ? WARNING_CODES[code] : `${found}: ${WARNING_CODES[code]}`;
    const message = boundText(redact(text), MAX_WARNING_BYTES);
    const key = `${path} ${message}`;
    if (this.#warnings.has(key)) return;
    this.#warnings.set(key, { code, path, message });
    this.#noted.set(code, noted + 1);
  }

  /** Notes what was loaded. */
  loaded(material: { path: string; source: string; bytes: Uint8Array; notAfter?: Date }): void {
    const { path, source, bytes, notAfter } = material;
    const sha256 = shortDigest(bytes);
    this.#material.push({
      path,
      source,
      sha256,
      ...(notAfter === undefined ? {} : { notAfter: rfc3339(notAfter) }),
    });
  }

  /** Notes a file or folder whose change asks for a new build. */
  watched(path: string): void {
    this.#files.add(path);
  }

  /**
   * One of each code first, then the second ones, and so on; among those in the order of {@link WARNING_CODES}: a report
   * shows only the first five.
   */
  get warnings(): readonly Warning[] {
    const seen = new Map<string, number>();
    const ranked = [...this.#warnings.values()].map((warning) => {
      const before = seen.get(warning.code) ?? 0;
      seen.set(warning.code, before + 1);
      return { warning, before, weight: WEIGHTS.indexOf(warning.code) };
    });
    return ranked
      .toSorted((a, b) => a.before - b.before || a.weight - b.weight)
      .map(({ warning }) => warning);
  }

  get material(): readonly Material[] {
    return this.#material;
  }

  get files(): readonly string[] {
    return [...this.#files];
  }

  /** Over all material; `undefined` when there is none. The order counts, as it is that of the spec. */
  get materialDigest(): string | undefined {
    if (this.#material.length === 0) return undefined;
    return shortDigest(Buffer.from(JSON.stringify(this.#material.map(({ path, sha256 }) => [path, sha256]))));
  }
}

/** A date as the API has it, in whole seconds; years beyond four digits are cut to the last one that fits. */
function rfc3339(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

function shortDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, DIGEST_DIGITS);
}
