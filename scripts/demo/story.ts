import type { Executor } from '@executor-status/api';
import { type Actor, NAMESPACE, type Stage } from '../../test/support/stage.ts';
import { DemoUsageError } from './demo-error.ts';
import { executorPath, live, settled } from './executor-status.ts';
import type { Narrator } from './narrator.ts';
import { type FoundExecutor, nameOf } from './read-executors.ts';

/** What every chapter of the story works with. */
export interface Scene {
  readonly stage: Stage;
  readonly narrator: Narrator;
  readonly found: readonly FoundExecutor[];
}

/**
 * Applies the executors and shows their status.
 *
 * @throws {DemoUsageError} if the API server refuses one.
 */
export async function statusAppears(scene: Scene): Promise<void> {
  const { stage, narrator, found } = scene;
  narrator.chapter('Executors are applied, and every Ratify pod reports on each');
  for (const { file, executor } of found) {
    await makeNamespace(scene, executor);
    const answer = await stage.controlPlane.admin.request(
      `PATCH ${executorPath(executor)}?fieldManager=demo&fieldValidation=Strict`,
      executor,
      { contentType: 'application/apply-patch+yaml' },
    );
    if (answer.code >= 400) {
      const { message } = answer.body as { readonly message?: string };
      throw new DemoUsageError(
        `${file}: the API server refuses ${nameOf(executor)}: ${message ?? answer.code}`,
      );
    }
  }
  await narrator.expectSoon('every executor has the verdict of every pod', () => allSettled(scene));
  await narrator.show('get', 'executors,namespacedexecutors', '--all-namespaces', '--output=wide');
  await narrator.show('get', 'executorpodstatuses', `--namespace=${NAMESPACE}`);
}

/** Raises the generation of one executor: every pod builds and reports it once. */
export async function specIsEdited({ stage, narrator }: Scene, executor: Executor): Promise<void> {
  narrator.chapter(`The spec of ${nameOf(executor)} is edited`);
  const { audit } = stage.controlPlane;
  const pods = stage.writers.length;
  const before = await live(stage.controlPlane, executor);
  const since = await audit.mark();
  await editSpec(stage, before);
  const generation = (before.metadata.generation ?? 0) + 1;
  await narrator.expectSoon(`the status speaks of generation ${generation}`, () =>
    settled(stage.controlPlane, executor, pods),
  );
  const reports = await audit.count({ ...REPORT_WRITE, since });
  narrator.expect(`${pods} pods wrote one report each`, reports, pods);
  const conflicts = await audit.count({ code: 409, since, resource: [...EXECUTOR_RESOURCES, REPORTS] });
  narrator.expect('nobody met a conflict', conflicts, 0);
}

/** Changes labels ten times: nobody builds, nobody writes. A spec edit of the same executor afterwards shows that all have seen them. */
export async function metadataIsEdited({ stage, narrator }: Scene, executor: Executor): Promise<void> {
  narrator.chapter(`Labels of ${nameOf(executor)} are edited ten times`);
  const { audit, admin } = stage.controlPlane;
  const since = await audit.mark();
  for (let edit = 1; edit <= 10; edit++) {
    await admin.call(`PATCH ${executorPath(executor)}`, { metadata: { labels: { edit: String(edit) } } });
  }
  const before = await live(stage.controlPlane, executor);
  await editSpec(stage, before);
  const pods = stage.writers.length;
  await narrator.expectSoon('a spec edit behind them is reported by every pod', () =>
    settled(stage.controlPlane, executor, pods),
  );
  const reports = await audit.count({ ...REPORT_WRITE, since });
  narrator.expect(`all eleven edits together cost ${pods} reports: those of the spec`, reports, pods);
}

/** Deletes a pod: Kubernetes collects its reports, and the counts follow. */
export async function podIsDeleted({ stage, narrator, found }: Scene, actor: Actor): Promise<Scene> {
  const { controlPlane } = stage;
  const { name, uid } = actor.pod;
  narrator.chapter(`The pod ${name} is deleted`);
  const since = await controlPlane.audit.mark();
  narrator.say('There is no kubelet here that would end it gracefully, hence --force.');
  await narrator.show('delete', 'pod', name, `--namespace=${NAMESPACE}`, '--grace-period=0', '--force');
  await actor.app.stop();
  const writers = stage.writers.filter((writer) => writer !== actor);
  const next = { stage: { ...stage, writers }, narrator, found };
  await narrator.expectSoon(`the counts say ${writers.length} pods`, () => allSettled(next));
  await narrator.expectSoon('its reports are gone', async () => {
    const left = await controlPlane.kubectl(
      'get',
      'exps',
      '-A',
      '-l',
      `status.ratify.sh/pod-uid=${uid}`,
      '-o',
      'name',
    );
    return left.stdout === '' ? true : undefined;
  });
  const deletions = await controlPlane.audit.entries({ verb: 'delete', resource: REPORTS, since });
  const collector = 'system:serviceaccount:kube-system:generic-garbage-collector';
  const users = new Set(deletions.map(({ user }) => user));
  narrator.expect("they were removed by Kubernetes' own garbage collector", [...users], [collector]);
  await narrator.show('get', 'executors,namespacedexecutors', '--all-namespaces');
  return next;
}

const REPORTS = 'executorpodstatuses';
const EXECUTOR_RESOURCES = ['executors', 'namespacedexecutors'];
const REPORT_WRITE = { resource: REPORTS, subresource: 'status', verb: ['patch', 'update'] };

/** All executors as they are, once every one has the verdict of every pod about its newest generation. */
async function allSettled({ stage, found }: Scene): Promise<readonly Executor[] | undefined> {
  const states = await Promise.all(
    found.map(({ executor }) => settled(stage.controlPlane, executor, stage.writers.length)),
  );
  return states.every((state) => state !== undefined) ? states : undefined;
}

/** An edit that no verdict depends on: how many artifacts Ratify verifies at once. */
export async function editSpec({ controlPlane }: Stage, executor: Executor): Promise<void> {
  const { concurrency = 3 } = executor.spec as { readonly concurrency?: number };
  await controlPlane.admin.call(`PATCH ${executorPath(executor)}`, {
    spec: { concurrency: concurrency + 1 },
  });
}

async function makeNamespace({ stage }: Scene, { metadata }: Executor): Promise<void> {
  if (metadata.namespace === undefined) return;
  await stage.controlPlane.apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: metadata.namespace } },
  ]);
}
