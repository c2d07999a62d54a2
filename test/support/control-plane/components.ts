import type { Assets } from '../../../scripts/kube/assets.ts';
import type { ApiClient } from './api-client.ts';
import { apiServerFlags, controllerManagerFlags, etcdFlags, type Layout } from './component-flags.ts';
import { startComponent } from './component-process.ts';
import { type Restartable, restartable } from './restartable.ts';

/** The processes of a control plane; none of them runs yet. */
export interface Components {
  readonly etcd: Restartable;
  readonly apiServer: Restartable;
  readonly controllerManager: Restartable;
}

/** What the processes are started with. */
export interface ComponentsRequest {
  readonly assets: Assets;
  readonly layout: Layout;
  readonly directory: string;
  readonly controllers: readonly string[];
  /** Asks whether the API server is ready. */
  readonly admin: ApiClient;
}

/** Describes the processes of one control plane. */
export function components({ assets, layout, directory, controllers, admin }: ComponentsRequest): Components {
  const component = (
    name: 'etcd' | 'kube-apiserver' | 'kube-controller-manager',
    { args, ready }: { args: readonly string[]; ready?: () => Promise<boolean> },
  ) =>
    restartable(() =>
      startComponent({
        name,
        command: assets.path(name),
        args,
        directory,
        logFile: layout.file(`${name}.log`),
        ...(ready === undefined ? {} : { ready }),
      }),
    );
  return {
    etcd: component('etcd', { args: etcdFlags(layout), ready: () => etcdIsHealthy(layout.etcdPort) }),
    apiServer: component('kube-apiserver', {
      args: apiServerFlags(layout),
      ready: async () => (await admin.request('GET /readyz')).code === 200,
    }),
    // It opens no port; it tries again by itself until it finds its accounts.
    controllerManager: component('kube-controller-manager', {
      args: controllerManagerFlags(layout, controllers),
    }),
  };
}

async function etcdIsHealthy(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/health`);
  return ((await answer.json()) as { health?: unknown }).health === 'true';
}
