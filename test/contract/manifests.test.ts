import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXECUTOR_GROUP, EXECUTOR_PLURALS, REPORT_PLURAL, STATUS_GROUP } from '@executor-status/api';
import { expect } from 'chai';
import { parse } from 'yaml';
import { ROOT } from './crd-schema.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace: string }[];
}

const EXECUTORS = Object.values(EXECUTOR_PLURALS);

describe('the manifests', () => {
  let writer: readonly Manifest[];
  let aggregator: readonly Manifest[];

  before(async () => {
    writer = await readManifests('executor-writer');
    aggregator = await readManifests('status-aggregator');
  });

  it('SE-1 give the writer its rights and no more', () => {
    expect(rightsOf(writer)).to.deep.equal({
      'ClusterRole executor-writer': grants({
        [EXECUTOR_GROUP]: { [EXECUTORS.join()]: 'get list watch' },
      }),
      'Role executor-writer': grants({
        [STATUS_GROUP]: {
          [REPORT_PLURAL]: 'get list create patch delete',
          [`${REPORT_PLURAL}/status`]: 'patch',
        },
      }),
    });
  });

  it('SE-1 give the aggregator its rights and no more', () => {
    expect(rightsOf(aggregator)).to.deep.equal({
      'ClusterRole status-aggregator': grants({
        [EXECUTOR_GROUP]: {
          [EXECUTORS.join()]: 'get list watch',
          [EXECUTORS.map((plural) => `${plural}/status`).join()]: 'patch',
        },
        'events.k8s.io': { events: 'create patch' },
      }),
      'ClusterRole status-aggregator-exemption': grants({
        [STATUS_GROUP]: { [REPORT_PLURAL]: 'override-bound' },
        [EXECUTOR_GROUP]: { [EXECUTORS.map((plural) => `${plural}/status`).join()]: 'override-bound' },
      }),
      'Role status-aggregator': grants({
        'coordination.k8s.io': { leases: 'create', 'leases status-aggregator': 'get update' },
      }),
      'Role status-aggregator-pods': grants({
        '': { pods: 'get list watch' },
        [STATUS_GROUP]: { [REPORT_PLURAL]: 'list watch delete' },
      }),
    });
  });

  it('SE-1 name neither secrets nor wildcards', () => {
    for (const { rules = [], metadata } of [...writer, ...aggregator]) {
      const words = rules.flatMap(({ apiGroups, resources, verbs }) => [
        ...apiGroups,
        ...resources,
        ...verbs,
      ]);
      expect(words, metadata.name).not.to.include('*');
      expect(words, metadata.name).not.to.include('secrets');
    }
  });

  it('B42 let no writer near the status of an executor', () => {
    const rules = writer.flatMap((manifest) => manifest.rules ?? []);
    expect(
      rules.filter(({ apiGroups }) => apiGroups.includes(EXECUTOR_GROUP)).flatMap(({ verbs }) => verbs),
    ).to.have.members(['get', 'list', 'watch']);
    expect(rules.flatMap(({ resources }) => resources)).not.to.include('executors/status');
  });

  it('KX-2 let who may view a namespace read the reports in it, and nothing else', async () => {
    const readers = await readManifests('readers');
    expect(rightsOf(readers)).to.deep.equal({
      'ClusterRole executor-status-view': grants({ [STATUS_GROUP]: { [REPORT_PLURAL]: 'get list watch' } }),
    });
    expect(readers.map(({ metadata }) => metadata)).to.deep.equal([
      {
        name: 'executor-status-view',
        labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' },
      },
    ]);
  });

  it('bind every role, to an account that stands in the same folder', () => {
    for (const manifests of [writer, aggregator]) {
      const roles = manifests
        .filter(({ rules }) => rules !== undefined)
        .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      const bindings = manifests.filter(({ roleRef }) => roleRef !== undefined);
      expect(bindings.map(({ roleRef }) => `${roleRef?.kind} ${roleRef?.name}`)).to.have.members(roles);
      const accounts = manifests.filter(({ kind }) => kind === 'ServiceAccount');
      const [account] = accounts;
      expect(accounts).to.have.lengthOf(1);
      for (const { subjects, metadata } of bindings) {
        const subject = {
          kind: 'ServiceAccount',
          name: account?.metadata.name,
          namespace: account?.metadata.namespace,
        };
        expect(subjects, metadata.name).to.deep.equal([subject]);
      }
    }
  });

  it('list every file of their folder', async () => {
    for (const folder of ['executor-writer', 'status-aggregator', 'readers']) {
      const files = await readdir(join(ROOT, 'manifests', folder));
      const { resources } = (await readYaml(join('manifests', folder, 'kustomization.yaml'))) as {
        resources: string[];
      };
      expect(['kustomization.yaml', ...resources], folder).to.have.members(files);
    }
  });
});

async function readManifests(folder: string): Promise<readonly Manifest[]> {
  const files = await readdir(join(ROOT, 'manifests', folder));
  const all = await Promise.all(files.map((file) => readYaml(join('manifests', folder, file))));
  return (all as Manifest[]).filter(({ kind }) => kind !== 'Kustomization');
}

async function readYaml(file: string): Promise<unknown> {
  return parse(await readFile(join(ROOT, file), 'utf8'));
}

/** Every rule of every role, as text that is easy to compare. */
function rightsOf(manifests: readonly Manifest[]): Record<string, readonly string[]> {
  const roles = manifests.filter(({ rules }) => rules !== undefined);
  return Object.fromEntries(
    roles.map(({ kind, metadata, rules = [] }) => [
      `${kind} ${metadata.name}`,
      rules.map(
        ({ apiGroups, resources, resourceNames = [], verbs }) =>
          `${apiGroups.join()}: ${[resources.join(), ...resourceNames].join(' ')}: ${verbs.join(' ')}`,
      ),
    ]),
  );
}

/** What `rightsOf` gives for rules by group, resources (with a name where it is limited to one) and verbs. */
function grants(rules: Readonly<Record<string, Readonly<Record<string, string>>>>): readonly string[] {
  return Object.entries(rules).flatMap(([group, resources]) =>
    Object.entries(resources).map(([names, verbs]) => `${group}: ${names}: ${verbs}`),
  );
}
