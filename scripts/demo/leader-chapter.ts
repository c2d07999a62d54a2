import type { Executor } from '@executor-status/api';
import { type Actor, NAMESPACE, type Stage } from '../../test/support/stage.ts';
import { live, settled } from './executor-status.ts';
import { nameOf } from './read-executors.ts';
import { editSpec, type Scene } from './story.ts';

/** Kills the leading aggregator without a warning, and edits a spec: the follower takes over and writes. */
export async function leaderIsKilled({ stage, narrator }: Scene, executor: Executor): Promise<void> {
  narrator.chapter('The leading aggregator is killed (SIGKILL)');
  const leader = await narrator.expectSoon('one of the two aggregators holds the Lease', () =>
    leadingActor(stage),
  );
  await narrator.show('get', 'lease', `--namespace=${NAMESPACE}`);
  leader.app.kill('SIGKILL');
  await leader.app.exited;
  narrator.say(`${leader.pod.name} is dead. Now the spec of ${nameOf(executor)} is edited:`);
  await editSpec(stage, await live(stage.controlPlane, executor));
  await narrator.expectSoon('the status speaks of the new generation', () =>
    settled(stage.controlPlane, executor, stage.writers.length),
  );
  const next = await leadingActor(stage);
  const [other] = stage.aggregators.filter((actor) => actor !== leader);
  narrator.expect('the other aggregator holds the Lease', next?.pod.name, other?.pod.name);
  await narrator.show('get', 'lease', `--namespace=${NAMESPACE}`);
}

async function leadingActor(stage: Stage): Promise<Actor | undefined> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/status-aggregator`;
  const { code, body } = await stage.controlPlane.admin.request(`GET ${path}`);
  if (code !== 200) return undefined;
  const holder =
    (body as { readonly spec?: { readonly holderIdentity?: string } }).spec?.holderIdentity ?? '';
  return stage.aggregators.find(({ pod }) => holder.startsWith(pod.name));
}
