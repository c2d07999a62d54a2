// Judges all vectors several times over and prints how many that were and how long it took, as one line of JSON.
import { judgeFiles } from '../../scripts/verdict/judge-files.ts';

const VECTORS = new URL('../fixtures/vectors/', import.meta.url).pathname;
const FILES = ['executor-verdicts.jsonl', 'fuzz-verdicts.jsonl.gz'].map((name) => `${VECTORS}${name}`);
const OPTIONS = { fixtures: `${VECTORS}fixtures`, sigstoreRoot: 'reachable', keyVault: undefined } as const;

const rounds = Number(process.argv[2] ?? 1);
await judge(1);
const before = process.cpuUsage();
const vectors = await judge(rounds);
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ vectors, cpuS: (user + system) / 1e6 })}\n`);

async function judge(times: number): Promise<number> {
  let judged = 0;
  const files = Array.from({ length: times }, () => FILES).flat();
  await judgeFiles({ ...OPTIONS, files }, () => {
    judged++;
  });
  return judged;
}
