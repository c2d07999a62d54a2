import { EXECUTOR_GROUP } from '@executor-status/api';
import { type ConfigOf, configSchema } from '@executor-status/process';
import { CONTENT_SETTINGS } from './content-settings.ts';
import { HEALTH_SETTINGS } from './health-settings.ts';
import { PACE_SETTINGS } from './pace-settings.ts';
import { RETRY_SETTINGS } from './retry-settings.ts';
import { SWEEP_SETTINGS } from './sweep-settings.ts';

/** Every setting of the status-aggregator, its default and its limits; `--help` and the docs are made of it. */
export const CONFIG_SCHEMA = configSchema(
  {
    namespace: {
      type: 'string',
      minLength: 1,
      'x-env': 'POD_NAMESPACE',
      description:
        'The namespace of this pod and of the Lease, from the downward API field metadata.namespace.',
    },
    podName: {
      type: 'string',
      minLength: 1,
      default: 'status-aggregator',
      'x-env': 'POD_NAME',
      description: 'The name of this pod, from the downward API field metadata.name: who holds the Lease.',
    },
    kubeconfig: {
      type: 'string',
      minLength: 1,
      description:
        'A kubeconfig file to reach the API server with; the credentials of the pod when left out.',
    },
    credentialsDir: {
      type: 'string',
      minLength: 1,
      default: '/var/run/secrets/kubernetes.io/serviceaccount',
      description: 'Where the token and the CA certificate of the pod are mounted.',
    },
    executorGroup: {
      type: 'string',
      pattern: '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$',
      default: EXECUTOR_GROUP,
      description: 'The API group of the executors; config.ratify.dev in clusters from before 2026.',
    },
    podNamespaces: {
      type: 'array',
      items: { type: 'string' },
      default: [],
      description: "The namespaces in which Ratify's pods run; the own namespace when left out.",
    },
    podSelector: {
      type: 'string',
      minLength: 1,
      default: 'app.kubernetes.io/name=ratify-gatekeeper-provider',
      description: "The label selector of Ratify's pods.",
    },
    ratifyContainer: {
      type: 'string',
      default: '',
      description: "The name of Ratify's container; the first that is not the executor-writer when left out.",
    },
    ...CONTENT_SETTINGS,
    ...PACE_SETTINGS,
    ...RETRY_SETTINGS,
    ...HEALTH_SETTINGS,
    ...SWEEP_SETTINGS,
  },
  ['namespace'],
);

export type Config = ConfigOf<typeof CONFIG_SCHEMA>;
