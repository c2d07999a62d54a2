import { boundText, redact } from '@executor-status/api';
import { microTime } from './micro-time.ts';

/** The object that an event is about. */
export interface Regarding {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
}

/** Something that happened to an object and that somebody should read. */
export interface Happening {
  readonly regarding: Regarding;
  readonly type: 'Normal' | 'Warning';
  /** Why, as one word for programs: `BuildFailed`. At most 128 characters. */
  readonly reason: string;
  /** What was being done: `Aggregate`. At most 128 characters. */
  readonly action: string;
  /** A sentence for people. Secrets are removed, and what is beyond 1,024 bytes. */
  readonly note: string;
}

/** Who tells it. */
export interface Reporter {
  /** Qualified, as `status.ratify.sh/status-aggregator`. */
  readonly controller: string;
  /** The process, as its pod's name. */
  readonly instance: string;
}

/** An Event of `events.k8s.io/v1`, as far as it is written here. */
export interface KubeEvent {
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly eventTime: string;
  readonly reportingController: string;
  readonly reportingInstance: string;
  readonly action: string;
  readonly reason: string;
  readonly type: 'Normal' | 'Warning';
  readonly regarding: Regarding;
  readonly note: string;
}

/**
 * The Event that tells `happening`. It lies in the namespace of its object; for an object without one the API server
 * demands `default`.
 *
 * @param told - `wallMs`: when it happened; `random`: a number in [0, 1) that makes its name unique.
 */
export function newKubeEvent(
  { regarding, note, ...happening }: Happening,
  reporter: Reporter,
  told: { readonly wallMs: number; readonly random: number },
): KubeEvent {
  const suffix = Math.floor(told.random * 2 ** 48).toString(16);
  return {
    metadata: {
      namespace: regarding.namespace ?? 'default',
      // 253 characters at most: the name of its object, cut, a dot and two numbers.
      name: `${regarding.name.slice(0, 220).replace(/[^a-z0-9]+$/, '')}.${Math.floor(told.wallMs).toString(16)}-${suffix}`,
    },
    eventTime: microTime(told.wallMs),
    reportingController: reporter.controller,
    reportingInstance: boundText(reporter.instance, MAX_WORD_BYTES),
    ...happening,
    regarding,
    note: boundText(redact(note), MAX_NOTE_BYTES),
  };
}

/** @see k8s.io/kubernetes, pkg/apis/core/validation/events.go: the limits of the API server. */
const MAX_NOTE_BYTES = 1024;
const MAX_WORD_BYTES = 128;

/** What makes two happenings one, told as a series: everything but its words. */
export function seriesKey({ regarding, type, reason, action }: Happening): string {
  return JSON.stringify([regarding.uid, regarding.kind, type, reason, action]);
}
