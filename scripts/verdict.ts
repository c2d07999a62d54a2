/**
 * Judges recorded or hand-written executors: reads JSON lines in the format of the vectors' README, prints one JSON
 * line per vector, and a summary on stderr. Exit code 0 when all could be judged, 1 when not, 2 for a wrong call.
 */
import { parseVerdictArguments, VERDICT_USAGE } from './verdict/arguments.ts';
import { judgeFiles } from './verdict/judge-files.ts';

try {
  const options = parseVerdictArguments(process.argv.slice(2));
  const summary = await judgeFiles(options, (line) => process.stdout.write(`${line}\n`));
  console.error(summary.text);
  process.exitCode = summary.unjudged === 0 ? 0 : 1;
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${VERDICT_USAGE}`);
  process.exitCode = 2;
}
