import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXECUTOR_GROUP, type ExecutorRef, newExecutorPodStatus } from '@executor-status/api';
import { expect } from 'chai';
import { type AppProcess, startApp } from '../support/app-process.ts';
import { type AuditEntry, type ControlPlane, type Pod, startControlPlane } from '../support/control-plane.ts';
import { renderOverlay } from '../support/kustomize-overlay.ts';
import { PROJECT_CRDS } from '../support/project-crds.ts';
import { AGGREGATOR_ACCOUNT, NAMESPACE, WRITER_ACCOUNT } from '../support/stage.ts';
import { waitUntil } from '../support/wait-until.ts';
import { executorManifest, executorPath, refOf } from './executor-manifest.ts';
import { reportsPath } from './post-report.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const ACCOUNTS = { writer: WRITER_ACCOUNT, aggregator: AGGREGATOR_ACCOUNT };
const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/status-aggregator`;

/** Rights that the story below does not come to, each with the moment that needs it. */
const RARE: Readonly<Record<string, string>> = {
  'aggregator list config.ratify.sh/executors': 'where the API server has no WatchList',
  'aggregator list config.ratify.sh/namespacedexecutors': 'where the API server has no WatchList',
  'aggregator list status.ratify.sh/executorpodstatuses': 'where the API server has no WatchList',
  'aggregator list /pods': 'where the API server has no WatchList',
};

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

describe('the rights of the manifests', function () {
  this.timeout(180_000);
  let controlPlane: ControlPlane;
  const apps: AppProcess[] = [];

  before(async () => {
    controlPlane = await startControlPlane({ manifests: PROJECT_CRDS });
    await controlPlane.apply([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }]);
    const { code, stderr } = await controlPlane.kubectl('apply', '-k', path('manifests'));
    expect(code, stderr).to.equal(0);
    await controlPlane.admin.call(`DELETE ${LEASE}`);
    await tellTheStory();
  });

  after(async () => {
    await Promise.all(apps.map((app) => app.stop()));
    await controlPlane?.stop();
  });

  async function start(pod: Pod, entry: string, ...args: readonly string[]): Promise<AppProcess> {
    const credentials = await controlPlane.inClusterDirectory(await controlPlane.podToken(pod));
    const app = await startApp({
      entry: `apps/${entry}/src/main.ts`,
      args: ['--credentials-dir', credentials, '--probe-port=0', '--probe-host=127.0.0.1', ...args],
      env: controlPlane.podEnv(pod),
    });
    apps.push(app);
    return app;
  }

  const until = (what: string, condition: () => Promise<boolean>) =>
    waitUntil(condition, { what, deadlineMs: 60_000 });

  const reports = async () =>
    (
      await controlPlane.admin.call<{ items: readonly { status?: object }[] }>(
        `GET ${reportsPath(NAMESPACE)}`,
      )
    ).items;

  /** What both programs do in their lives: reports and statuses of both kinds, edits, ends, and what is left behind. */
  async function tellTheStory(): Promise<void> {
    const refs = [refOf('first'), refOf('first', NAMESPACE), refOf('second'), refOf('second', NAMESPACE)];
    await controlPlane.apply(refs.map((ref) => executorManifest(ref, EXECUTOR_GROUP)));
    const labels = { 'app.kubernetes.io/name': 'ratify-gatekeeper-provider' };
    const pod = await controlPlane.makePod({ namespace: NAMESPACE, labels, serviceAccount: WRITER_ACCOUNT });
    const other = await controlPlane.makePod({ namespace: NAMESPACE, serviceAccount: AGGREGATOR_ACCOUNT });
    const writer = await start(pod, 'executor-writer', '--start-jitter=0s', '--resync=300ms');
    const sweep = ['--sweep-confirm=100ms', '--sweep-period=100ms'];
    const soon = ['--success-hold=0s', '--retry-period=200ms', '--event-series=10ms'];
    await start(other, 'status-aggregator', ...soon, ...sweep);
    await until(
      'all reports',
      async () => (await reports()).filter(({ status }) => status).length === refs.length,
    );
    for (const ref of refs) await says(ref, true);
    await breakAndMend(refOf('first'));
    await until('an Event', async () => (await uses('aggregator')).has('create events.k8s.io/events'));
    await breakAndMend(refOf('first'));
    await until('its count', async () => (await uses('aggregator')).has('patch events.k8s.io/events'));
    await until('a look at the own reports', async () =>
      (await uses('writer')).has('get status.ratify.sh/executorpodstatuses'),
    );
    for (const ref of refs.slice(2))
      await controlPlane.admin.call(`DELETE ${executorPath(ref, EXECUTOR_GROUP)}`);
    await until('the writer to remove two reports', async () => (await reports()).length === 2);
    await writer.stop();
    for (const ref of refs.slice(0, 2))
      await controlPlane.admin.call(`DELETE ${executorPath(ref, EXECUTOR_GROUP)}`);
    await leaveBehind(pod);
    await until('the aggregator to sweep the rest', async () => (await reports()).length === 0);
  }

  /** Every change for the worse is an Event. */
  async function breakAndMend(ref: ExecutorRef): Promise<void> {
    const folder = await mkdtemp(join(controlPlane.directory, 'certs-'));
    await writeFile(join(folder, 'broken.crt'), 'no certificate');
    await controlPlane.apply([executorManifest(ref, EXECUTOR_GROUP, { files: [folder] })]);
    await says(ref, false);
    await controlPlane.apply([executorManifest(ref, EXECUTOR_GROUP)]);
    await says(ref, true);
  }

  async function says(ref: ExecutorRef, succeeded: boolean): Promise<void> {
    await until(`${ref.kind} ${ref.name} to say ${succeeded}`, async () => {
      const { status } = await controlPlane.admin.call(`GET ${executorPath(ref, EXECUTOR_GROUP)}`);
      return status?.['succeeded'] === succeeded;
    });
  }

  /** A report of a pod that is no more, which the garbage collector has no reason to take. */
  async function leaveBehind(owner: Pod): Promise<void> {
    const gone = { ...owner, name: 'gone', uid: '00000000-0000-4000-8000-000000000000' };
    const report = newExecutorPodStatus(gone, refOf('first'));
    const { ownerReferences } = newExecutorPodStatus(owner, refOf('first')).metadata;
    await controlPlane.admin.call(`POST ${reportsPath(NAMESPACE)}`, {
      ...report,
      metadata: { ...report.metadata, ownerReferences },
    });
  }

  const entries = (who: keyof typeof ACCOUNTS): Promise<readonly AuditEntry[]> =>
    controlPlane.audit.entries({ user: `system:serviceaccount:${NAMESPACE}:${ACCOUNTS[who]}` });

  /** The rights that an account has used, also to find nothing, as `verb group/resource`. */
  async function uses(who: keyof typeof ACCOUNTS): Promise<ReadonlySet<string>> {
    const used = (await entries(who)).filter(
      ({ resource, code }) => resource !== '' && (code < 400 || code === 404),
    );
    return new Set(used.flatMap(rightsOf));
  }

  function rightsOf({ verb, apiGroup, resource, subresource, code }: AuditEntry): readonly string[] {
    // Every account may ask who it is.
    if (apiGroup === 'authentication.k8s.io') return [];
    const what = `${apiGroup}/${resource}${subresource === '' ? '' : `/${subresource}`}`;
    // An apply that makes an object needs the right to make it.
    return verb === 'patch' && code === 201 ? [`patch ${what}`, `create ${what}`] : [`${verb} ${what}`];
  }

  /** The rights that the Roles of an account give. */
  async function grants(who: keyof typeof ACCOUNTS): Promise<ReadonlySet<string>> {
    const objects = (await renderOverlay(controlPlane, { resources: ['manifests'] })) as unknown as readonly {
      readonly kind: string;
      readonly metadata: { readonly name: string };
      readonly rules?: readonly Rule[];
      readonly roleRef?: { readonly kind: string; readonly name: string };
      readonly subjects?: readonly { readonly name: string }[];
    }[];
    const bound = objects.filter(
      ({ subjects }) => subjects?.some(({ name }) => name === ACCOUNTS[who]) === true,
    );
    const rules = bound.flatMap(
      ({ roleRef }) =>
        objects.find(({ kind, metadata }) => kind === roleRef?.kind && metadata.name === roleRef.name)
          ?.rules ?? [],
    );
    const rights = rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
      ),
    );
    // The audit log never shows a virtual verb.
    return new Set(rights.filter((right) => !right.startsWith('override')));
  }

  for (const who of ['writer', 'aggregator'] as const) {
    it(`SE-1 give the ${who} what it uses, and nothing that it does not use`, async () => {
      const used = await uses(who);
      const unused = [...(await grants(who))].filter((right) => !used.has(right));
      const rare = Object.keys(RARE).filter((right) => right.startsWith(`${who} `));
      expect(unused.map((right) => `${who} ${right}`)).to.have.members(rare);
      expect([...(await grants(who))]).to.include.members([...used]);
    });

    it(`SE-1 let the ${who} never be refused`, async () => {
      const refused = (await entries(who)).filter(({ code }) => code === 403);
      expect(refused.map(({ verb, uri }) => `${verb} ${uri}`)).to.deep.equal([]);
    });
  }
});
