import { errorText } from '@executor-status/api';

/** One thing that must hold. */
export interface Check {
  readonly name: string;
  /** What is wrong, to be read by people; empty when it holds. A rejection is a failure too. */
  readonly failures: () => Promise<string>;
}

/** Runs every check, one after the other, and lists all that failed at the end. True when none did. */
export async function runChecks(checks: readonly Check[], write: (text: string) => void): Promise<boolean> {
  const failed = new Map<string, string>();
  for (const { name, failures } of checks) {
    write(`${name} … `);
    const begunMs = performance.now();
    const found = await failures().catch(errorText);
    if (found !== '') failed.set(name, found.trimEnd());
    write(`${found === '' ? 'ok' : 'FAILED'} (${((performance.now() - begunMs) / 1000).toFixed(1)} s)\n`);
  }
  for (const [name, found] of failed) write(`\n--- ${name}\n${found}\n`);
  const names = [...failed.keys()].join(', ');
  write(
    failed.size === 0 ? '\nall checks passed\n' : `\n${failed.size} of ${checks.length} failed: ${names}\n`,
  );
  return failed.size === 0;
}
