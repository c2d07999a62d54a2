/** One figure of a run. */
export interface Measurement {
  /** `work.size.what`, as in `burst.50x20.writes`. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** A number of pods, each of which reports about each of a number of executors. */
export interface Size {
  readonly pods: number;
  readonly executors: number;
}

export const sizeName = ({ pods, executors }: Size) => `${pods}x${executors}`;

/** Collects figures, and says each as it comes. */
export class Figures {
  readonly all: Measurement[] = [];
  readonly #said: (measurement: Measurement) => void;

  constructor(said: (measurement: Measurement) => void = () => {}) {
    this.#said = said;
  }

  /** @param unit - of the value; empty for a count. */
  add(name: string, value: number, unit = ''): void {
    const measurement = { name, value: rounded(value), unit };
    this.all.push(measurement);
    this.#said(measurement);
  }

  /** The value of a figure of this run, if it was measured. */
  get(name: string): number | undefined {
    return this.all.find((one) => one.name === name)?.value;
  }
}

/** Three digits are more than repeats. */
function rounded(value: number): number {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}
