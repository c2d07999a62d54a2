import { parseArgs } from 'node:util';
import { DemoUsageError } from './demo-error.ts';

/** What the caller of the demo asked for. */
export interface DemoArguments {
  /** Files with executors of the caller; empty for the examples that ship with the project. */
  readonly files: readonly string[];
  /** How many Ratify pods to simulate, 4 to 50: the story needs two that fail and two that do not. */
  readonly pods: number;
  /** Leave everything running at the end. */
  readonly keep: boolean;
}

export const DEMO_USAGE = `npm run demo -- [EXECUTOR.yaml …] [--pods N] [--keep]

  EXECUTOR.yaml  files with Executors or NamespacedExecutors; without any, the examples of the project
  --pods N       how many Ratify pods to simulate, 4 to 50 (default 5)
  --keep         leave the cluster running at the end and say how to reach it`;

/**
 * Reads the command line of the demo.
 *
 * @throws {DemoUsageError} naming the argument and what it may be.
 */
export function parseDemoArguments(argv: readonly string[]): DemoArguments {
  const { values, positionals } = parse(argv);
  const pods = Number(values.pods ?? 5);
  if (!Number.isInteger(pods) || pods < 4 || pods > 50) {
    throw new DemoUsageError(`--pods takes a whole number from 4 to 50, not ${JSON.stringify(values.pods)}`);
  }
  return { files: positionals, pods, keep: values.keep ?? false };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { pods: { type: 'string' }, keep: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new DemoUsageError(`${text}\n\n${DEMO_USAGE}`, { cause });
  }
}
