import { inspect, isDeepStrictEqual } from 'node:util';
import type { KubectlResult } from '../../test/support/control-plane.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { DemoFailure } from './demo-error.ts';

/** Tells the story on a terminal, and checks that it is true. */
export interface Narrator {
  /** A heading. */
  readonly chapter: (title: string) => void;
  /** One sentence. */
  readonly say: (sentence: string) => void;
  /** Runs kubectl, shows the command and what it printed, and returns that. */
  readonly show: (...args: readonly string[]) => Promise<string>;
  /** Waits for a fact and says it with the time that it took. */
  readonly expectSoon: <T>(fact: string, probe: () => Promise<T | undefined>) => Promise<T>;
  /** Says a fact that must hold now: what was found is what the fact says. */
  readonly expect: (fact: string, found: unknown, wanted: unknown) => void;
}

export interface NarratorPorts {
  readonly print: (text: string) => void;
  readonly kubectl: (...args: readonly string[]) => Promise<KubectlResult>;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/** Generous: the slowest step waits for a lease of 15 s to run out, on a busy machine. */
const DEADLINE_MS = 90_000;

export function narrator({ print, kubectl, now }: NarratorPorts): Narrator {
  return {
    chapter: (title) => print(`\n\n=== ${title} ===\n`),
    say: (sentence) => print(`${sentence}\n`),
    show: async (...args) => {
      print(`\n$ kubectl ${args.join(' ')}\n`);
      const { stdout, stderr, code } = await kubectl(...args);
      print(code === 0 ? stdout : stdout + stderr);
      if (code !== 0) throw new DemoFailure(`kubectl ${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
      return stdout;
    },
    expectSoon: async (fact, probe) => {
      const since = now();
      const found = await waitUntil(probe, { what: fact, deadlineMs: DEADLINE_MS }).catch(
        (cause: unknown) => {
          throw new DemoFailure(cause instanceof Error ? cause.message : String(cause), { cause });
        },
      );
      print(`  ok  ${fact} (after ${((now() - since) / 1000).toFixed(1)} s)\n`);
      return found;
    },
    expect: (fact, found, wanted) => {
      if (!isDeepStrictEqual(found, wanted))
        throw new DemoFailure(`expected: ${fact}; found: ${inspect(found, { depth: 6 })}`);
      print(`  ok  ${fact}\n`);
    },
  };
}
