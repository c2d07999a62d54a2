import { staleFiles } from './generated-files.ts';
import { hiddenCharacters } from './hidden-characters.ts';
import { oldGroupMentions } from './old-group-mentions.ts';
import { projectFiles } from './project-files.ts';
import type { Check } from './run-checks.ts';
import { commandFailures } from './run-command.ts';

/** What `npm run check` holds, the quick ones first. */
export const CHECKS: readonly Check[] = [
  { name: 'types', failures: () => commandFailures('tsc', ['-p', 'tsconfig.json']) },
  {
    name: 'lint',
    failures: () =>
      commandFailures('oxlint', ['--type-aware', '--deny-warnings', '--report-unused-disable-directives']),
  },
  { name: 'format', failures: () => commandFailures('biome', ['check', '--error-on-warnings']) },
  { name: 'generated files', failures: async () => lines(await staleFiles()) },
  { name: 'hidden Unicode', failures: async () => lines(hiddenCharacters(await projectFiles())) },
  { name: 'old API group', failures: async () => lines(oldGroupMentions(await projectFiles())) },
  { name: 'unit tests', failures: () => commandFailures('mocha', ['--reporter', 'dot']) },
];

function lines(findings: readonly string[]): string {
  return findings.join('\n');
}
