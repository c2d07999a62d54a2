/** An executor that reports are about. */
export interface Target {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
}

/** Something for the load generator to do; 64 requests are in flight at a time. */
export type LoadJob =
  | {
      /** Makes simulated Ratify pods, running and ready, and remembers them. */
      readonly kind: 'pods';
      readonly namespace: string;
      readonly count: number;
      readonly labels: Readonly<Record<string, string>>;
      readonly serviceAccount: string;
    }
  | {
      /** Makes the report of each pod about each target, with a status. */
      readonly kind: 'create';
      readonly targets: readonly Target[];
      /** Of the order. */
      readonly seed: number;
      /** Makes every report a failure with an error of so many bytes, before it is cut as a writer cuts it. */
      readonly errorBytes?: number;
    }
  | {
      /** Writes the status of reports anew. */
      readonly kind: 'update';
      readonly targets: readonly Target[];
      readonly seed: number;
      /** How many of the pods report; all when left out. */
      readonly pods?: number;
      /** Whether they say that the build failed. */
      readonly failing?: boolean;
    }
  | {
      /** Asks for a bound token of each pod; the answers are the `pods` of the result. */
      readonly kind: 'tokens';
    };

/** How a job went. */
export interface LoadResult {
  readonly requests: number;
  /** What went wrong, at most five of them. */
  readonly failures: readonly string[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly pods?: readonly LoadPod[];
}

/** A pod made by the load generator. */
export interface LoadPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly nodeName: string;
  readonly serviceAccount: string;
  readonly token?: string;
}
