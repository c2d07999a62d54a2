import { type Judged, judge } from './budgets.ts';
import { type CostModel, costModel, expect } from './cost-model.ts';
import { budgetText, figureText } from './figure-table.ts';
import type { LastRun } from './last-run.ts';
import { missedNotes } from './missed-notes.ts';

/** The text of `docs/sizing.md`. */
export function sizingPage(run: LastRun): string {
  const { date, machine, minutes } = run;
  const judged = run.figures.map(judge);
  const model = costModel(run);
  const missed = judged.filter(({ met }) => met === false);
  return [
    '# Sizing',
    '',
    '<!-- Written by `npm run bench`; a change by hand is lost. -->',
    '',
    `The last full run: ${date}, ${machine.cores} cores, ${machine.memoryGiB} GiB of memory, ${minutes} minutes. etcd, the API server, the load`,
    'and what is measured share these cores. `npm run bench` repeats it; `npm run bench -- --quick` takes four minutes.',
    'Counts repeat; times and processor time do so within a third.',
    '',
    '## What happens',
    '',
    ...WORKS,
    '',
    '## Figures and budgets',
    '',
    ...table(judged.filter(({ budget }) => budget !== undefined)),
    '',
    ...(missed.length === 0 ? ['Every budget is met.'] : missedNotes(missed)),
    '',
    '![latency](sizing/latency.svg) ![writes](sizing/writes.svg)',
    '![processor time](sizing/cpu.svg) ![memory](sizing/memory.svg)',
    '',
    'Also measured:',
    '',
    ...told(judged.filter(({ budget }) => budget === undefined)),
    '',
    ...formulae(model),
    '',
    ...plan(model),
    '',
  ].join('\n');
}

const WORKS = [
  'Pods are simulated: objects without a kubelet. A load generator of its own writes their reports over one HTTP/2 connection, 64 requests',
  'in flight, in a random order that is the same in each run. What was written is counted in the audit log of the API server; processor time',
  'and memory come from the kernel. Names are `work.pods x executors.what`.',
  '',
  '- **create**: every report is made, with a status. **burst**: every spec is edited, then every report updated once. **lag** is the time from',
  '  the last report until every status counts every pod; **verdict-lag** until it says so too: 10 s later if the burst outlasted the grace of 60 s.',
  '  **shown-p99** is how long 99 of 100 reports waited at most until the status of their executor counted them: below 30 s where the API server takes',
  '  all of them within a minute. Progress waits 2, 4, 8 … 60 s, so on a slower one some wait up to a minute; a first failure never does.',
  '- **idle**: two replicas, and nothing happens. **takeover**: the leader is killed. **restart**: a new process over everything.',
  '- **errors**: 200 pods fail with 16 KiB of error each, cut by the writers as always.',
  '- **fleet**: real writers start at once; a spec is edited so that some fail; and again beside stand-ins of Ratify that rebuild on every event.',
  '- **sidecar**: one writer over ten minutes, one write a minute. **limit**: the load generator alone.',
  '- **verdict**: all recorded specs, without the flags of the image, which let it judge about two thirds as many.',
];

function table(figures: readonly Judged[]): readonly string[] {
  const rows = figures.map((one) => {
    const budget = one.budget === undefined ? '' : budgetText(one.budget);
    const met = one.met === true ? 'met' : '**missed**';
    return `| ${one.name} | ${figureText(one)} | ${budget} | ${met} | ${one.budget?.peers ?? ''} |`;
  });
  return [
    '| what | figure | budget | | Go systems on this work |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ];
}

function told(figures: readonly Judged[]): readonly string[] {
  const rows = figures.map((one) => `| ${one.name} | ${figureText(one)} |`);
  return ['| what | figure |', '| --- | --- |', ...rows];
}

function formulae({ cpu, memory, rate }: CostModel): readonly string[] {
  return [
    '## Formulae',
    '',
    'Straight lines through the bursts above; a report is one pod about one executor.',
    '',
    `- memory of an aggregator ≈ ${memory.base.toFixed(0)} MiB + ${(memory.perReport * 1024).toFixed(1)} KiB × reports`,
    `- its processor time for a burst ≈ ${Math.max(0, cpu.base).toFixed(1)} s + ${(cpu.perReport * 1000).toFixed(2)} ms × reports`,
    `- length of a burst ≈ reports ÷ ${rate.toFixed(0)} a second: what this API server takes on these cores`,
    '- status writes in a burst ≤ executors × (2 + those of progress, which wait 2, 4, 8 … 60 s)',
    '- size of a status: bounded by `--max-entries`, whatever the number of pods',
  ];
}

const SIZES = [
  { pods: 5, executors: 3 },
  { pods: 100, executors: 10 },
  { pods: 1000, executors: 10 },
  { pods: 5000, executors: 5 },
  { pods: 10_000, executors: 100 },
];

function plan(model: CostModel): readonly string[] {
  const rows = SIZES.map((size) => {
    const { reports, memoryMiB, cpuS, burstS, writes } = expect(size, model);
    const cells = [
      `${size.pods.toLocaleString('en-US')} × ${size.executors}`,
      reports.toLocaleString('en-US'),
      Math.ceil(memoryMiB).toLocaleString('en-US'),
      Math.ceil(cpuS).toLocaleString('en-US'),
      Math.ceil(burstS).toLocaleString('en-US'),
      writes.toLocaleString('en-US'),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '## Plan',
    '',
    'Computed by these formulae, the last line far beyond what was measured.',
    '',
    '| pods × executors | reports | memory of an aggregator, MiB | processor time for a burst, s | burst, s | status writes, at most |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    ...LARGE_PLAN,
  ];
}

const LARGE_PLAN = [
  '10,000 pods × 100 executors are a million reports. They need, by what they add up to:',
  '',
  '- an API server that takes them: on its own machine, with etcd beside it; a rollout of every spec at once lasts as long as the column says, an',
  '  edit of one spec a hundredth of that;',
  '- for both replicas of the aggregator a memory limit above the column, and `--max-old-space-size` in `NODE_OPTIONS` at three quarters of it: the image',
  '  has 256 MiB, enough for the published size of 5,000 × 5;',
  '- `--grace` above the length of a rollout, so that pods whose reports wait in line are not called missing;',
  '- `--detail=failing` where Ratify rebuilds on every write to its Executor.',
  '',
  'Beyond that, one installation for each group of pods (`--pod-selector`, another namespace) divides every figure.',
];
