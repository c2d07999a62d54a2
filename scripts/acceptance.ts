// npm run acceptance: which ids of test/acceptance/ids.json stand in the title of a test, and which do not.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AcceptanceId, acceptanceReport } from './acceptance/acceptance-report.ts';
import { testTitles } from './acceptance/test-titles.ts';
import { projectFiles } from './check/project-files.ts';
import { ROOT } from './check/run-command.ts';

const ids: readonly AcceptanceId[] = JSON.parse(
  await readFile(join(ROOT, 'test', 'acceptance', 'ids.json'), 'utf8'),
);
process.stdout.write(acceptanceReport(ids, testTitles(await projectFiles())));
