// npm run demo: the story of the README on a real API server, each step checked.
import { once } from 'node:events';
import { DEMO_USAGE } from './demo/arguments.ts';
import { runDemo } from './demo/run-demo.ts';

const argv = process.argv.slice(2);
if (argv.includes('--help') || argv.includes('-h')) {
  process.stdout.write(`${DEMO_USAGE}\n`);
} else {
  process.exitCode = await runDemo({
    argv,
    print: (text) => process.stdout.write(text),
    printError: (text) => process.stderr.write(text),
    now: () => performance.now(),
    untilInterrupted: async () => {
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    },
  });
}
