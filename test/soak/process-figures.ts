import { readdir, readFile } from 'node:fs/promises';

/** What a process holds at one moment. */
export interface ProcessFigures {
  readonly files: number;
  readonly rssMiB: number;
}

/** Looks at a process of this machine; Linux only, since it reads /proc. */
export async function processFigures(pid: number): Promise<ProcessFigures> {
  const [files, status] = await Promise.all([
    readdir(`/proc/${pid}/fd`),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  const kiB = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  return { files: files.length, rssMiB: kiB / 1024 };
}

/** A value at a time. */
export interface Point {
  readonly atMs: number;
  readonly value: number;
}

/** The slope of the straight line through the points, per hour (least squares); 0 for fewer than two. */
export function slopePerHour(points: readonly Point[]): number {
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const hours = points.map(({ atMs }) => atMs / 3_600_000);
  const [at, value] = [mean(hours), mean(points.map((point) => point.value))];
  const spread = hours.reduce((sum, hour) => sum + (hour - at) ** 2, 0);
  const joint = points.reduce(
    (sum, point, index) => sum + ((hours[index] ?? at) - at) * (point.value - value),
    0,
  );
  return spread === 0 || points.length < 2 ? 0 : joint / spread;
}
