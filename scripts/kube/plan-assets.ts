import type { Component } from './components.ts';

/** What is known about the machine before anything is fetched or built. */
export interface AssetFacts {
  /** The directory that KUBEBUILDER_ASSETS names, with what it lacks; absent if the variable is not set. */
  readonly named?: { readonly directory: string; readonly missing: readonly Component[] };
  /** Where our cache keeps this version, with what it lacks. */
  readonly cache: { readonly directory: string; readonly missing: readonly Component[] };
  /** As `process.platform` and `process.arch` say it. */
  readonly platform: string;
  readonly arch: string;
  /** As `go env GOVERSION` says it, `go1.26.8`; `undefined` if Go is not installed. */
  readonly goVersion: string | undefined;
}

/** One way to come by the programs. */
export type AssetStep =
  | { readonly kind: 'use'; readonly source: 'KUBEBUILDER_ASSETS' | 'cache'; readonly directory: string }
  | { readonly kind: 'download'; readonly arch: 'amd64' | 'arm64' }
  | { readonly kind: 'go-build' };

/** The ways to try, best first, and what to tell the user about the ways that are closed. */
export interface AssetPlan {
  readonly steps: readonly AssetStep[];
  readonly remarks: readonly string[];
}

/** The oldest Go that can build the module: older ones cannot fetch the newer Go that it asks for. */
export const OLDEST_GO = { major: 1, minor: 24 } as const;

/**
 * Decides where the programs come from: the directory that KUBEBUILDER_ASSETS names, our cache, the
 * official download, `go build`, in this order. Touches nothing.
 */
export function planAssets(facts: AssetFacts): AssetPlan {
  const { named, cache } = facts;
  if (named !== undefined && named.missing.length === 0) {
    return {
      steps: [{ kind: 'use', source: 'KUBEBUILDER_ASSETS', directory: named.directory }],
      remarks: [],
    };
  }
  const incomplete =
    named === undefined
      ? []
      : [`KUBEBUILDER_ASSETS: ${named.directory} lacks ${named.missing.join(', ')}; looking elsewhere`];
  if (cache.missing.length === 0) {
    return { steps: [{ kind: 'use', source: 'cache', directory: cache.directory }], remarks: incomplete };
  }
  const download = planDownload(facts);
  const build = planBuild(facts);
  return {
    steps: [download, build].filter((choice) => typeof choice !== 'string'),
    remarks: [...incomplete, ...[download, build].filter((choice) => typeof choice === 'string')],
  };
}

function planDownload({ platform, arch }: AssetFacts): AssetStep | string {
  const official = { x64: 'amd64', arm64: 'arm64' } as const;
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) {
    return `download: there are no official server binaries for ${platform} on ${arch}`;
  }
  return { kind: 'download', arch: official[arch] };
}

function planBuild({ goVersion }: AssetFacts): AssetStep | string {
  const remedy =
    'install Go 1.26 or newer (https://go.dev/dl) or let KUBEBUILDER_ASSETS name a directory with the binaries';
  if (goVersion === undefined) return `go build: Go is not installed: ${remedy}`;
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(goVersion) ?? [];
  const old = Number(major) === OLDEST_GO.major && Number(minor) < OLDEST_GO.minor;
  return old ? `go build: ${goVersion} is too old: ${remedy}` : { kind: 'go-build' };
}
