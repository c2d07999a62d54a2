import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXECUTOR_GROUP } from '@executor-status/api';
import { parseAllDocuments } from 'yaml';
import type { ControlPlane, Manifest } from './control-plane.ts';

/** Where the shipped manifests are installed, and for which Ratify. */
export interface Installation {
  /** Of Ratify and the aggregator; must exist. */
  readonly namespace: string;
  /** Ratify's ServiceAccount; `ratify` by default, as for test pods. */
  readonly serviceAccount?: string;
  /** The API group of the executors; `config.ratify.sh` by default. */
  readonly group?: string;
  /** Further namespaces in which Ratify's pods run; must exist. */
  readonly podNamespaces?: readonly string[];
}

/**
 * Installs the writer and the aggregator of `manifests/` as a user would: rendered by kustomize with an overlay that names the
 * namespace and Ratify's account. Cluster-wide names get the namespace as their end, so that many suites can share one
 * cluster; the policies, which hold for all of it, stay away.
 *
 * @throws {Error} if kustomize or the API server refuses.
 */
export async function installManifests(
  controlPlane: ControlPlane,
  installation: Installation,
): Promise<void> {
  const objects = await renderManifests(controlPlane, installation);
  const { podNamespaces = [] } = installation;
  const further = podNamespaces.flatMap((namespace) =>
    inPodNamespace(objects, { ...installation, namespace }),
  );
  await controlPlane.apply([...objects, ...further]);
}

/** The objects that `installManifests` applies, those in further pod namespaces aside. */
export async function renderManifests(
  controlPlane: ControlPlane,
  installation: Installation,
): Promise<readonly Manifest[]> {
  const folder = join(controlPlane.directory, `overlay-${installation.namespace}`);
  await mkdir(folder, { recursive: true });
  // JSON is YAML.
  await writeFile(join(folder, 'kustomization.yaml'), JSON.stringify(overlay(folder, installation)));
  const { code, stdout, stderr } = await controlPlane.kubectl('kustomize', folder);
  await rm(folder, { recursive: true });
  if (code !== 0) throw new Error(`kustomize refuses the manifests: ${stderr}`);
  const documents = parseAllDocuments(stdout);
  return Array.isArray(documents) ? documents.map((document) => document.toJS() as Manifest) : [];
}

function overlay(
  folder: string,
  { namespace, serviceAccount = 'ratify', group = EXECUTOR_GROUP }: Installation,
) {
  const manifests = relative(folder, fileURLToPath(new URL('../../manifests', import.meta.url)));
  return {
    namespace,
    resources: ['../crds', 'executor-writer', 'status-aggregator', 'readers'].map((part) =>
      join(manifests, part),
    ),
    components: group === EXECUTOR_GROUP ? [] : [join(manifests, `components/${group.replaceAll('.', '-')}`)],
    patches: [
      rename('ServiceAccount', RATIFY_ACCOUNT, serviceAccount),
      ...['executor-writer', 'status-aggregator', 'status-aggregator-exemption'].flatMap((name) => [
        rename('ClusterRole', name, `${name}-${namespace}`),
        rename('ClusterRoleBinding', name, `${name}-${namespace}`),
      ]),
    ],
  };
}

const RATIFY_ACCOUNT = 'ratify-gatekeeper-provider-admin';

function rename(kind: string, name: string, to: string) {
  return {
    target: { kind, name },
    options: { allowNameChange: true },
    patch: JSON.stringify([{ op: 'replace', path: '/metadata/name', value: to }]),
  };
}

interface Binding extends Manifest {
  readonly subjects?: readonly { readonly name: string; readonly namespace: string }[];
}

/** What a further namespace of pods needs: the Roles of its writers, and those of the aggregator about pods. */
function inPodNamespace(
  objects: readonly Manifest[],
  { namespace, serviceAccount = 'ratify' }: Installation,
): readonly Manifest[] {
  const wanted = ['executor-writer', 'status-aggregator-pods'];
  return (objects as readonly Binding[])
    .filter(({ kind, metadata }) => kind.startsWith('Role') && wanted.includes(metadata.name))
    .map(({ metadata, subjects, ...object }) => ({
      ...object,
      metadata: { ...metadata, namespace },
      ...(subjects === undefined
        ? {}
        : {
            subjects: subjects.map((subject) =>
              subject.name === serviceAccount ? { ...subject, namespace } : subject,
            ),
          }),
    }));
}
