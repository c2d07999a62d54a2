import { readFile } from 'node:fs/promises';
import { credentialFiles } from './control-plane/credentials.ts';
import { testObjects } from './control-plane/test-objects.ts';
import type { ControlPlane } from './control-plane.ts';
import { FaultProxy, type FaultProxyOptions } from './fault-proxy/fault-proxy.ts';

export type { Fault, StreamFault } from './fault-proxy/fault.ts';
export { type FaultPlan, randomFaults } from './fault-proxy/fault-plan.ts';
export { FaultProxy, type FaultProxyOptions } from './fault-proxy/fault-proxy.ts';
export type { ActiveRule, FaultRule } from './fault-proxy/fault-rules.ts';
export type { Network } from './fault-proxy/network-front.ts';
export type { Match, SeenRequest } from './fault-proxy/seen-request.ts';
export type { ProxyStats, Seen } from './fault-proxy/traffic.ts';

/** A control plane seen through a fault proxy. */
export interface Proxied {
  readonly proxy: FaultProxy;
  /**
   * The control plane, but for `inClusterDirectory`, `kubeconfigFor` and `podEnv`, which lead apps through the proxy. The
   * administrator goes straight to the API server.
   */
  readonly controlPlane: ControlPlane;
}

/** Puts a fault proxy before the API server of a control plane. Close the proxy in the end. */
export async function proxyFor(
  controlPlane: ControlPlane,
  options: FaultProxyOptions = {},
): Promise<Proxied> {
  const { url, caFile, directory, admin } = controlPlane;
  const proxy = await FaultProxy.start({ url, ca: await readFile(caFile, 'utf8') }, options);
  const access = {
    url: proxy.url,
    // Another one after a rotation.
    get ca() {
      return proxy.ca;
    },
    client: { token: '' },
  };
  const { podEnv } = testObjects(admin, proxy.port);
  return { proxy, controlPlane: { ...controlPlane, ...credentialFiles(directory, access), podEnv } };
}
