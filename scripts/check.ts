// npm run check: everything but the tests that need a control plane; all failures are listed at the end.
import { CHECKS } from './check/checks.ts';
import { runChecks } from './check/run-checks.ts';

process.exitCode = (await runChecks(CHECKS, (text) => process.stdout.write(text))) ? 0 : 1;
