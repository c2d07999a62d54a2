import { EXECUTOR_PLURALS, type ExecutorKind, REPORT_PLURAL } from '@executor-status/api';
import { executorResource, POD, reportResource, WatchHealth, watchResource } from '@executor-status/kube';
import type { AggregatorChain } from './aggregator.ts';
import type { ChainPorts } from './new-chain.ts';
import { podProjection, projectExecutor, projectReport } from './projections.ts';

/** All watches of an aggregator, and how each is doing. */
export interface Watches extends Pick<AggregatorChain, 'executors' | 'reports' | 'pods'> {
  readonly health: readonly WatchHealth[];
}

/** One watch for each kind of executor; one for reports and one for pods in each of `namespaces`. They start when subscribed. */
export function newWatches(ports: ChainPorts, namespaces: readonly string[]): Watches {
  const { client, config } = ports;
  const health: WatchHealth[] = [];
  const options = (name: string, namespace?: string) => {
    const own = new WatchHealth(nameOf(name, namespaces.length > 1 ? namespace : undefined), client.clock);
    health.push(own);
    return {
      health: own,
      random: ports.random,
      log: ports.log,
      metrics: ports.metrics,
      ...(namespace && { namespace }),
    };
  };
  const executors = (kind: ExecutorKind) =>
    watchResource(client, executorResource(kind, config.executorGroup), {
      ...options(EXECUTOR_PLURALS[kind]),
      project: (raw) => projectExecutor(raw, kind),
    });
  const reports = (namespace: string) =>
    watchResource(client, reportResource(), { ...options(REPORT_PLURAL, namespace), project: projectReport });
  const pods = (namespace: string) =>
    watchResource(client, POD, {
      ...options(POD.plural, namespace),
      labelSelector: config.podSelector,
      project: podProjection(config.ratifyContainer),
    });
  return {
    executors: { Executor: executors('Executor'), NamespacedExecutor: executors('NamespacedExecutor') },
    reports: new Map(namespaces.map((namespace) => [namespace, reports(namespace)])),
    pods: new Map(namespaces.map((namespace) => [namespace, pods(namespace)])),
    health,
  };
}

const nameOf = (name: string, namespace: string | undefined) =>
  namespace === undefined ? name : `${name} in ${namespace}`;
