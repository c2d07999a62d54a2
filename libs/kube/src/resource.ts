import {
  EXECUTOR_GROUP,
  EXECUTOR_PLURALS,
  EXECUTOR_VERSION,
  type ExecutorKind,
  REPORT_KIND,
  REPORT_PLURAL,
  STATUS_GROUP,
  STATUS_VERSION,
} from '@executor-status/api';

/** One kind of object, and where the API server keeps it. */
export interface Resource {
  /** The API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural, lower-case name that stands in URLs. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** One object of a kind. `namespace` is left out for kinds that have none. */
export interface ObjectRef {
  readonly namespace?: string;
  readonly name: string;
}

export const POD: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };

export const LEASE: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
};

export const EVENT: Resource = {
  group: 'events.k8s.io',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
};

/** ExecutorPodStatus: what one pod says about one executor. */
export function reportResource(): Resource {
  return {
    group: STATUS_GROUP,
    version: STATUS_VERSION,
    plural: REPORT_PLURAL,
    kind: REPORT_KIND,
    namespaced: true,
  };
}

/** Executor or NamespacedExecutor; their group differs between clusters from before and after 2026. */
export function executorResource(kind: ExecutorKind, group: string = EXECUTOR_GROUP): Resource {
  return {
    group,
    version: EXECUTOR_VERSION,
    plural: EXECUTOR_PLURALS[kind],
    kind,
    namespaced: kind === 'NamespacedExecutor',
  };
}

/** `group/version`, or `version` in the core group: the `apiVersion` of an object of this kind. */
export function apiVersion({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The path of a collection (without a name) or of an object, below the server's address. */
export function resourcePath(
  resource: Resource,
  ref: Partial<ObjectRef> = {},
  subresource?: 'status',
): string {
  const root = resource.group === '' ? '/api' : `/apis/${resource.group}`;
  const scope = resource.namespaced && ref.namespace ? ['namespaces', ref.namespace] : [];
  const parts = [resource.version, ...scope, resource.plural, ref.name, subresource];
  return `${root}/${parts
    .filter((part) => part !== undefined)
    .map(encodeURIComponent)
    .join('/')}`;
}

/** What an error message calls it: `Kind namespace/name`, or the kind with its namespace. */
export function describeTarget(resource: Resource, ref: Partial<ObjectRef> = {}): string {
  const kind = ref.name === undefined ? resource.plural : resource.kind;
  return [kind, [ref.namespace, ref.name].filter(Boolean).join('/')].filter(Boolean).join(' ');
}
