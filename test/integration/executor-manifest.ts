import { EXECUTOR_PLURALS, EXECUTOR_VERSION, type ExecutorRef } from '@executor-status/api';
import type { Manifest } from '../support/control-plane.ts';

/** What a test changes about an executor that is right otherwise. */
export interface ExecutorFields {
  readonly scope?: string;
  /** Folders of certificates; a new, empty one by default. */
  readonly files?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Fields of the spec, in place of what the other fields give. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** Names an executor; with a namespace, a NamespacedExecutor. */
export function refOf(name: string, namespace?: string): ExecutorRef {
  return namespace === undefined
    ? { kind: 'Executor', name }
    : { kind: 'NamespacedExecutor', namespace, name };
}

/** An executor that builds in every pod, unless the fields say otherwise. */
export function executorManifest(ref: ExecutorRef, group: string, fields: ExecutorFields = {}): Manifest {
  const { kind, name, namespace } = ref;
  const manifest = {
    apiVersion: `${group}/${EXECUTOR_VERSION}`,
    kind,
    metadata: { name, ...(namespace !== undefined && { namespace }), ...fields.metadata },
    spec: { ...specOf(fields, name), ...fields.spec },
  };
  return manifest;
}

/** Where the API server keeps an executor. */
export function executorPath({ kind, namespace, name }: ExecutorRef, group: string): string {
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `/apis/${group}/${EXECUTOR_VERSION}${scope}/${EXECUTOR_PLURALS[kind]}/${name}`;
}

function specOf({ scope, files = ['/nonexistent'] }: ExecutorFields, name: string) {
  return {
    scopes: [scope ?? `${name}.example`],
    verifiers: [
      {
        name: 'notation-1',
        type: 'notation',
        parameters: { certificates: [{ type: 'ca', files }], trustedIdentities: ['*'] },
      },
    ],
    stores: [{ type: 'registry-store', parameters: { credential: { provider: 'static' } } }],
    policyEnforcer: {
      type: 'threshold-policy',
      parameters: { policy: { rules: [{ verifierName: 'notation-1' }] } },
    },
  };
}
