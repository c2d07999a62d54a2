// npm run fix: writes the generated files anew, applies safe lint fixes, formats.
import { updateFiles } from './check/generated-files.ts';
import { runCommand } from './check/run-command.ts';

for (const path of await updateFiles()) console.log(`wrote ${path}`);
for (const [tool, ...args] of [
  ['oxlint', '--type-aware', '--fix'],
  ['biome', 'check', '--write'],
] as const) {
  const { code, output } = await runCommand(tool, args);
  console.log(output.trimEnd());
  // What cannot be fixed is named in the output; "npm run check" judges.
  if (code !== 0) process.exitCode = 1;
}
