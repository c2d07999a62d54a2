export { type Clock, systemClock } from './clock.ts';
export { createKubeClient, type KubeClientOptions } from './create-kube-client.ts';
export type { Connection, Credentials } from './credentials.ts';
export { EventRecorder, type EventRecorderOptions } from './event-recorder.ts';
export { type InClusterOptions, inClusterCredentials } from './in-cluster-credentials.ts';
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
export type { Happening, Regarding, Reporter } from './kube-event.ts';
export { KUBE_METRICS } from './kube-metrics.ts';
export { type KubeconfigOptions, kubeconfigCredentials } from './kubeconfig-credentials.ts';
export {
  type LeaderElection,
  type LeaderElectionOptions,
  type LeaderState,
  leaderElection,
} from './leader-election.ts';
export { type Log, type LogFields, noLog } from './log.ts';
export { microTime } from './micro-time.ts';
export {
  apiVersion,
  describeTarget,
  EVENT,
  executorResource,
  LEASE,
  type ObjectRef,
  POD,
  type Resource,
  reportResource,
  resourcePath,
} from './resource.ts';
export { WatchHealth, type WatchPhase } from './watch-health.ts';
export { type WatchOptions, watchResource } from './watch-resource.ts';
