import type { Measurement, Size } from './measurement.ts';

/** A full run: what `docs/sizing/last-run.json` holds. */
export interface LastRun {
  /** As in 2026-08-06. */
  readonly date: string;
  readonly machine: { readonly cores: number; readonly memoryGiB: number };
  readonly minutes: number;
  readonly figures: readonly Measurement[];
}

/**
 * The value of a figure.
 *
 * @throws {Error} naming it, if the run has not measured it.
 */
export function figureOf({ figures }: LastRun, name: string): number {
  const found = figures.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the run has no figure ${name}`);
  return found.value;
}

/** The sizes at which bursts were measured, by their reports. */
export function burstSizes({ figures }: LastRun): readonly Size[] {
  const sizes = figures.flatMap(({ name }) => {
    const [, pods, executors] = /^burst\.(\d+)x(\d+)\.writes$/.exec(name) ?? [];
    return pods === undefined ? [] : [{ pods: Number(pods), executors: Number(executors) }];
  });
  return sizes.toSorted((a, b) => a.pods * a.executors - b.pods * b.executors);
}
