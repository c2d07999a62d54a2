import { EXECUTOR_GROUP } from '@executor-status/api';
import { type ConfigOf, configSchema, PARKING_SETTINGS } from '@executor-status/process';
import { BUILD_SETTINGS } from './build-settings.ts';
import { READINESS_SETTINGS } from './readiness.ts';

/** Every setting of the executor-writer, its default and its limits; `--help` and the docs are made of it. */
export const CONFIG_SCHEMA = configSchema({
  podName: {
    type: 'string',
    'x-env': 'POD_NAME',
    description: 'The name of this pod, from the downward API field metadata.name.',
  },
  podUid: {
    type: 'string',
    'x-env': 'POD_UID',
    description: 'The uid of this pod, from the downward API field metadata.uid.',
  },
  podNamespace: {
    type: 'string',
    'x-env': 'POD_NAMESPACE',
    description: 'The namespace of this pod, from the downward API field metadata.namespace.',
  },
  nodeName: {
    type: 'string',
    'x-env': 'NODE_NAME',
    description: 'The node of this pod, from the downward API field spec.nodeName; may be left out.',
  },
  kubeconfig: {
    type: 'string',
    minLength: 1,
    description: 'A kubeconfig file to reach the API server with; the credentials of the pod when left out.',
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
  filesRoot: {
    type: 'string',
    minLength: 1,
    default: '/',
    description:
      "Where the file system of Ratify's container is mounted: a path in a spec is looked up below it.",
  },
  resync: {
    type: 'string',
    format: 'duration',
    default: '5m',
    'x-min': '100ms',
    'x-max': '24h',
    description: 'How often the own reports are compared with what was written (±10 %).',
  },
  startJitter: {
    type: 'string',
    format: 'duration',
    default: '5s',
    'x-max': '10m',
    description:
      'The longest random wait before the first call, so that not all pods of a rollout begin at once.',
  },
  qps: {
    type: 'number',
    minimum: 0.1,
    maximum: 10_000,
    default: 10,
    description: 'Calls to the API server a second in the long run.',
  },
  burst: {
    type: 'integer',
    minimum: 1,
    maximum: 10_000,
    default: 40,
    description: 'Calls to the API server at once after a quiet time.',
  },
  callTimeout: {
    type: 'string',
    format: 'duration',
    default: '30s',
    'x-min': '100ms',
    'x-max': '10m',
    description: 'The deadline of a call to the API server.',
  },
  ...BUILD_SETTINGS,
  ...READINESS_SETTINGS,
  ...PARKING_SETTINGS,
});

export type Config = ConfigOf<typeof CONFIG_SCHEMA>;
