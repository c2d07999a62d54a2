/** The Kubernetes version that tests and demo run on, unless KUBERNETES_VERSION names another. */
export const DEFAULT_KUBERNETES_VERSION = '1.36.3';

/**
 * The etcd to build or download. A Kubernetes that asks for a newer one gets that when it is built:
 * Go picks the highest version that any module requires.
 */
export const ETCD_VERSION = '3.6.8';

/** Every program that an assets directory may hold. */
export const COMPONENTS = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kubectl',
] as const;

/** One program of a Kubernetes cluster, named as its file is. */
export type Component = (typeof COMPONENTS)[number];

/** What a control plane for tests cannot do without; the others serve tests with a real node. */
export const REQUIRED_COMPONENTS: readonly Component[] = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kubectl',
];

/**
 * Reads a Kubernetes version as people write it.
 *
 * @param text - `1.36.3` or `v1.36.3`; `undefined` or empty gives the default.
 * @returns the version without `v`.
 * @throws {Error} if the text is no such version; the message names the variable to correct.
 */
export function kubernetesVersion(text: string | undefined): string {
  if (text === undefined || text === '') return DEFAULT_KUBERNETES_VERSION;
  const version = /^v?(1\.\d+\.\d+)$/.exec(text)?.[1];
  if (version === undefined) {
    throw new Error(
      `KUBERNETES_VERSION is '${text}': want a full version such as ${DEFAULT_KUBERNETES_VERSION}`,
    );
  }
  return version;
}
