import type { Executor, ExecutorStatus } from '@executor-status/api';
import { live } from './executor-status.ts';
import type { Scene } from './story.ts';

/** What must be true of the three examples, of which two fail on purpose. */
export async function examplesAreToldTruly(scene: Scene): Promise<void> {
  const { narrator, stage, found } = scene;
  narrator.chapter('Which pods cannot build an executor, and why');
  const states = await Promise.all(found.map(({ executor }) => live(stage.controlPlane, executor)));
  await narrator.show('describe', 'executor', 'default');
  filesFailInTwoPods(scene, statusOf(states, 'default'));
  leafFailsEverywhere(scene, statusOf(states, 'leaf'));
  policyIsReady(scene, statusOf(states, 'team-policy'));
  await narrator.show(
    'wait',
    '--for=condition=Ready',
    'namespacedexecutor/team-policy',
    '--namespace=team-a',
  );
}

function filesFailInTwoPods(
  { narrator, stage }: Scene,
  { builds, error, errorGroups }: ExecutorStatus,
): void {
  const pods = stage.writers.length;
  narrator.expect(`default builds in ${pods - 2} of ${pods} pods`, builds, `${pods - 2}/${pods}`);
  narrator.expect(
    'its one error group names the pods ratify-2 and ratify-4',
    errorGroups?.map(({ examplePods }) => examplePods),
    [['ratify-2', 'ratify-4']],
  );
  const prefix = `2/${pods} replicas unhealthy: `;
  narrator.expect(`its error begins with "${prefix}"`, error?.slice(0, prefix.length), prefix);
}

function leafFailsEverywhere({ narrator, stage }: Scene, { builds, errorGroups }: ExecutorStatus): void {
  const pods = stage.writers.length;
  narrator.expect(`leaf builds in none of ${pods} pods`, builds, `0/${pods}`);
  narrator.expect(
    'and all give the same reason, the spec: ConfigInvalid',
    errorGroups?.map(({ reason, count }) => ({ reason, count })),
    [{ reason: 'ConfigInvalid', count: pods }],
  );
}

function policyIsReady({ narrator, stage }: Scene, { builds, conditions }: ExecutorStatus): void {
  const pods = stage.writers.length;
  narrator.expect(`team-policy builds in all ${pods} pods`, builds, `${pods}/${pods}`);
  const ready = conditions?.find(({ type }) => type === 'Ready')?.status;
  narrator.expect('and is Ready', ready, 'True');
}

function statusOf(states: readonly Executor[], name: string): ExecutorStatus {
  const status = states.find(({ metadata }) => metadata.name === name)?.status;
  if (status === undefined) throw new Error(`the example ${name} has no status`);
  return status;
}
