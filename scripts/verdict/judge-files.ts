import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  type Environment,
  type KeyVault,
  podEnvironment,
  reachableSigstoreRoot,
  unreachableKeyVault,
  unreachableSigstoreRoot,
} from '@executor-status/executor';
import type { VerdictOptions } from './arguments.ts';
import { fixturesPath } from './fixtures-path.ts';
import { plainVault } from './plain-vault.ts';
import { replay, type VectorVerdict } from './replay.ts';
import { readVector, type Vector } from './vector.ts';

/** What was judged in all. */
export interface Summary {
  readonly unjudged: number;
  /** For people. */
  readonly text: string;
}

/** Judges every line of every file and gives each verdict to `print` as one line of JSON. */
export async function judgeFiles(options: VerdictOptions, print: (line: string) => void): Promise<Summary> {
  const keyVault = options.keyVault === undefined ? unreachableKeyVault : plainVault(options.keyVault);
  const verdicts: boolean[] = [];
  const unjudged: string[] = [];
  for (const file of options.files) {
    const surroundings = { options, keyVault, place: fixturesPath(options.fixtures, file) };
    for (const [index, line] of readLines(file).entries()) {
      const verdict = line.trim() === '' ? undefined : await judgeLine(line, surroundings);
      if (typeof verdict === 'string') unjudged.push(`${file}:${index + 1}: ${verdict}`);
      if (typeof verdict !== 'object') continue;
      print(JSON.stringify(verdict));
      verdicts.push(verdict.ok);
      if (!isJudged(verdict)) unjudged.push(`${file}:${index + 1}: ${verdict.name} failed without a code`);
    }
  }
  const accepted = verdicts.filter(Boolean).length;
  const counts = `${verdicts.length} vectors judged: ${accepted} accepted, ${verdicts.length - accepted} refused`;
  return {
    unjudged: unjudged.length,
    text: [`${counts}; ${unjudged.length} not judged`, ...unjudged].join('\n'),
  };
}

/** The verdict, or why there is none. */
async function judgeLine(line: string, surroundings: Surroundings): Promise<VectorVerdict | string> {
  try {
    const vector = readVector(line);
    return await replay(vector, environmentOf(vector, surroundings));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function readLines(file: string): readonly string[] {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().split('\n');
}

/** A fault of our own (a deadline, a bug) is no verdict. */
function isJudged({ steps }: VectorVerdict): boolean {
  return steps.every(({ ok, code }) => ok || code !== undefined);
}

interface Surroundings {
  readonly options: VerdictOptions;
  readonly keyVault: KeyVault;
  readonly place: (path: string) => string;
}

function environmentOf(vector: Vector, { options, keyVault, place }: Surroundings): Environment {
  const sigstoreRoot = options.sigstoreRoot === 'reachable' ? reachableSigstoreRoot : unreachableSigstoreRoot;
  const environment = podEnvironment({ variables: vector.environ ?? {}, keyVault, sigstoreRoot });
  return { ...environment, walk: (path) => environment.walk(place(path)) };
}
