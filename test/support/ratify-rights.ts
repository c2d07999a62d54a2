import { EXECUTOR_GROUP } from '@executor-status/api';
import type { Manifest } from './control-plane.ts';

/** Whose rights, and where. */
export interface RatifyAccount {
  readonly namespace: string;
  readonly account: string;
  /** Of the cluster-wide objects and of those in the namespace; `ratify-gatekeeper-provider` by default. */
  readonly name?: string;
}

/** The rights that the chart of Ratify 2.0 gives its account, NamespacedExecutors included, as four objects. */
export function ratifyRights({
  namespace,
  account,
  name = 'ratify-gatekeeper-provider',
}: RatifyAccount): readonly Manifest[] {
  const subject = { kind: 'ServiceAccount', name: account, namespace };
  const cluster = `${name}-manager-cluster-role`;
  const own = `${name}-manager-role`;
  return [
    role({ name: cluster }, CLUSTER_WIDE),
    binding({ name: `${cluster}binding` }, cluster, subject),
    role({ name: own, namespace }, IN_ITS_NAMESPACE),
    binding({ name: `${own}binding`, namespace }, own, subject),
  ];
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
}

const GROUP = 'rbac.authorization.k8s.io';

function role(metadata: Metadata, rules: readonly object[]) {
  const kind = metadata.namespace === undefined ? 'ClusterRole' : 'Role';
  return { apiVersion: `${GROUP}/v1`, kind, metadata, rules };
}

function binding(metadata: Metadata, to: string, subject: object) {
  const kind = metadata.namespace === undefined ? 'ClusterRole' : 'Role';
  const roleRef = { apiGroup: GROUP, kind, name: to };
  return { apiVersion: `${GROUP}/v1`, kind: `${kind}Binding`, metadata, roleRef, subjects: [subject] };
}

const KINDS = ['executors', 'namespacedexecutors'];

const CLUSTER_WIDE = [
  {
    apiGroups: ['externaldata.gatekeeper.sh'],
    resources: ['providers'],
    verbs: ['get', 'list', 'patch', 'update', 'watch'],
  },
  { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] },
  {
    apiGroups: [EXECUTOR_GROUP],
    resources: KINDS,
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  },
  { apiGroups: [EXECUTOR_GROUP], resources: KINDS.map((kind) => `${kind}/finalizers`), verbs: ['update'] },
  {
    apiGroups: [EXECUTOR_GROUP],
    resources: KINDS.map((kind) => `${kind}/status`),
    verbs: ['get', 'patch', 'update'],
  },
];

const IN_ITS_NAMESPACE = [
  { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['get'] },
  { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'list', 'update', 'watch'] },
];
