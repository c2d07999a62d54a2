export { type Clock, systemClock } from './clock.ts';
export { createKubeClient, type KubeClientOptions } from './create-kube-client.ts';
export type { Connection, Credentials } from './credentials.ts';
export { inClusterCredentials, type InClusterOptions } from './in-cluster-credentials.ts';
export type {
  ApplyOptions,
  ByteStream,
  CallOptions,
  CallPriority,
  KubeClient,
  KubeRequest,
  ListOptions,
  ObjectList,
  ReadOptions,
  RemoveTarget,
  Selection,
  Self,
  Sent,
} from './kube-client.ts';
export { KubeError, type KubeErrorFacts } from './kube-error.ts';
export { KUBE_METRICS } from './kube-metrics.ts';
export { kubeconfigCredentials, type KubeconfigOptions } from './kubeconfig-credentials.ts';
export {
  type LeaderElection,
  leaderElection,
  type LeaderElectionOptions,
  type LeaderState,
} from './leader-election.ts';
export { type Log, type LogFields, noLog } from './log.ts';
export {
  apiVersion,
  describeTarget,
  EVENT,
  executorResource,
  LEASE,
  type ObjectRef,
  POD,
  reportResource,
  type Resource,
  resourcePath,
} from './resource.ts';
export { microTime } from './micro-time.ts';
export { WatchHealth, type WatchPhase } from './watch-health.ts';
export { type WatchOptions, watchResource } from './watch-resource.ts';
