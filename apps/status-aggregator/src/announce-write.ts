import type { Executor } from '@executor-status/api';
import type { EventRecorder } from '@executor-status/kube';
import type { Log } from '@executor-status/process';
import { planEvents, type StoredWrite } from './plan-events.ts';
import type { Write } from './plan-status.ts';

/** Where writes are told. */
export interface Announcing {
  readonly log: Log;
  readonly recorder: Pick<EventRecorder, 'record'>;
}

/** A write that was stored, with all that is told of it. */
export interface Announced extends Omit<StoredWrite, 'after'> {
  readonly key: string;
  readonly plan: Write;
  /** The executor as it is stored now. */
  readonly answer: Executor;
}

/** Tells of a write: one line of the log, and an Event for each thing that begins with it. */
export function announceWrite({ log, recorder }: Announcing, announced: Announced): void {
  const { key, plan, answer } = announced;
  const { apiVersion, kind, metadata } = answer;
  const { name, namespace, uid = '', generation } = metadata;
  const ready = plan.status.conditions?.find(({ type }) => type === 'Ready');
  const verdict = { ready: ready?.status, reason: ready?.reason, briefError: plan.status.briefError };
  // Progress is no news: a rollout of a thousand pods would fill the log.
  const level = plan.urgency === 'transition' ? 'info' : 'debug';
  log[level]('wrote a status', { kind, executor: key, uid, generation, ...verdict });

  const regarding = { apiVersion, kind, name, uid, ...(namespace !== undefined && { namespace }) };
  for (const event of planEvents({ ...announced, after: plan.status })) {
    recorder.record({ regarding, action: 'Aggregate', ...event });
  }
}
