import type { Environment } from './cache-directory.ts';
import type { Component } from './components.ts';

export type { Environment } from './cache-directory.ts';
export { COMPONENTS, type Component, DEFAULT_KUBERNETES_VERSION, kubernetesVersion } from './components.ts';
export { resolveAssets } from './resolve-assets.ts';

/** Where the programs of a Kubernetes control plane are on this machine. */
export interface Assets {
  /** `1.36.3`; with KUBEBUILDER_ASSETS, what the kube-apiserver found there says. */
  readonly version: string;
  readonly source: 'KUBEBUILDER_ASSETS' | 'cache' | 'download' | 'go-build';
  readonly directory: string;
  /** The absolute path of a program; does not check that optional ones exist. */
  readonly path: (component: Component) => string;
}

/** What {@link resolveAssets} is asked for. */
export interface AssetRequest {
  /** Overrides KUBERNETES_VERSION. */
  readonly version?: string;
  /** The environment: KUBEBUILDER_ASSETS, KUBERNETES_VERSION, XDG_CACHE_HOME, HOME, PATH and Go's own. */
  readonly env: Environment;
  /** Takes one line at a time: the choice, progress, and why a way was not taken. */
  readonly log: (line: string) => void;
}
