import type { Measurement } from './measurement.ts';

/** The most that a figure may be. */
export interface Budget {
  readonly limit: number;
  /** It is the least instead. */
  readonly atLeast?: true;
  /** What the design asks for, where the budget was lowered since that is met by far. */
  readonly design?: number;
  /** What Go systems did on the same work, on two cores. */
  readonly peers?: string;
}

/** A figure and what it was to be. */
export interface Judged extends Measurement {
  /** Undefined for what is only told. */
  readonly budget: Budget | undefined;
  readonly met: boolean | undefined;
}

/** Lays the budget beside a figure. */
export function judge(measurement: Measurement): Judged {
  const budget = budgetOf(measurement.name);
  const met = budget && isWithin(measurement.value, budget);
  return { ...measurement, budget, met };
}

function isWithin(value: number, { limit, atLeast }: Budget): boolean {
  return atLeast === true ? value >= limit : value <= limit;
}

/** The budget of a figure: its own, or that of its kind at any size. */
export function budgetOf(name: string): Budget | undefined {
  return BUDGETS[name] ?? BUDGETS[name.replace(/\.\d+x\d+\./, '.*.')];
}

const most = (limit: number, peers?: string): Budget => ({ limit, ...(peers !== undefined && { peers }) });
const least = (limit: number, peers?: string): Budget => ({ ...most(limit, peers), atLeast: true });

const lowered = (design: number, budget: Budget): Budget => ({ ...budget, design });

/** The table of the project's design; names as in `Measurement`. */
const BUDGETS: Readonly<Record<string, Budget>> = {
  'create.*.conflicts': most(0),
  'create.*.refused': most(0),
  'create.*.shown-p99': most(30),
  'create.*.status-size': lowered(64, most(40)),
  'burst.*.conflicts': most(0, '0 to 46'),
  'burst.*.refused': most(0),
  'burst.*.shown-p99': most(30),
  'burst.*.status-size': lowered(64, most(40, '174 at 1,000 pods, 686 to 866 at 5,000')),
  // A hundredth of a core: what one idle replica may use.
  'burst.*.cpu-after': most(0.01),
  'burst.50x20.writes': most(60, 'per-pod PR 1,000; Gatekeeper 128 to 135'),
  'burst.50x20.lag': most(1.5, 'per-pod PR 1.2; Gatekeeper 0.7'),
  'burst.50x20.cpu': most(0.8, 'per-pod PR 9; Gatekeeper 0.8 to 1.0'),
  'burst.50x20.peak-rss': most(110, 'per-pod PR 51; Gatekeeper 88'),
  'burst.1000x5.writes': most(40, 'per-pod PR 623 in a minute; Gatekeeper 72'),
  'burst.1000x5.lag': most(1.5, 'per-pod PR 1.2, then 9 min of rewriting; Gatekeeper 1.4'),
  'burst.1000x5.cpu': most(2, 'per-pod PR 27 in a minute; Gatekeeper 3.4'),
  'burst.1000x5.peak-rss': most(130, 'per-pod PR 91; Gatekeeper 117'),
  'burst.5000x5.writes': most(40, 'per-pod PR 11 until right, then 1.8 a second for 3.8 h; Gatekeeper 89'),
  'burst.5000x5.lag': most(1.5, 'Gatekeeper 4.2'),
  'burst.5000x5.cpu': most(8, 'per-pod PR 10 in each 30 s; Gatekeeper 19.5'),
  'burst.5000x5.peak-rss': lowered(240, most(180, 'per-pod PR 280; Gatekeeper 245')),
  'idle.*.cpu': most(10),
  'idle.*.writes': most(0),
  'takeover.*.lease-to-write': lowered(3, most(1)),
  'takeover.*.kill-to-write': most(20),
  'takeover.*.unneeded-writes': most(0),
  'restart.*.first-write': most(6, 'list of 25,000 in Go: 3.0 to 3.3; WatchList 4.8'),
  'restart.*.unneeded-writes': most(0),
  'restart.*.event-loop': most(100),
  'errors.shown': least(200, 'frozen at 63 (per-pod PR) and 47 (Gatekeeper)'),
  'errors.refused': most(0, 'every write for ever'),
  'errors.status-size': lowered(512, most(128)),
  'fleet.start.p99': most(60),
  'fleet.start.calls': most(2),
  'fleet.start.lost': most(0),
  'fleet.edit.writes': most(6),
  'fleet.edit.conflicts': most(0),
  'fleet.edit.first-failure': most(2),
  'fleet.edit.watch-traffic': lowered(4, most(2)),
  'fleet.edit.report-writes': most(1),
  'fleet.edit.foreign-writes': most(0),
  'fleet.stand-in.rebuilds': most(3, 'Ratify as it is: 19,087 in a minute, without end'),
  'sidecar.rss': lowered(84, most(80)),
  'sidecar.private': lowered(34, most(31)),
  'sidecar.up': most(1),
  'sidecar.connections': most(1),
  'sidecar.cpu': most(3),
  'verdict.rate': least(2000),
  // A longer burst has a few more writes of progress: 2, 4, 8 … 60 s apart.
  'growth.writes-per-executor': most(1),
  'growth.cpu-per-report': most(0.02),
  'growth.memory-per-report': most(0.2),
};
