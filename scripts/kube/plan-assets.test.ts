import { expect } from 'chai';
import { type AssetFacts, type AssetPlan, planAssets } from './plan-assets.ts';

describe('planAssets', () => {
  const remedy =
    'install Go 1.26 or newer (https://go.dev/dl) or let KUBEBUILDER_ASSETS name a directory with the binaries';
  const cases: Record<string, { facts: Partial<AssetFacts>; want: AssetPlan }> = {
    'takes the named directory first, whatever else there is': {
      facts: { named: { directory: '/named', missing: [] }, cache: { directory: '/cache', missing: [] } },
      want: { steps: [{ kind: 'use', source: 'KUBEBUILDER_ASSETS', directory: '/named' }], remarks: [] },
    },
    'takes the cache before it fetches anything': {
      facts: { cache: { directory: '/cache', missing: [] } },
      want: { steps: [{ kind: 'use', source: 'cache', directory: '/cache' }], remarks: [] },
    },
    'says what the named directory lacks, and goes on': {
      facts: {
        named: { directory: '/named', missing: ['kube-controller-manager', 'kubectl'] },
        cache: { directory: '/cache', missing: [] },
      },
      want: {
        steps: [{ kind: 'use', source: 'cache', directory: '/cache' }],
        remarks: ['KUBEBUILDER_ASSETS: /named lacks kube-controller-manager, kubectl; looking elsewhere'],
      },
    },
    'downloads, and builds if that fails': {
      facts: {},
      want: { steps: [{ kind: 'download', arch: 'amd64' }, { kind: 'go-build' }], remarks: [] },
    },
    'downloads for the processor at hand': {
      facts: { arch: 'arm64' },
      want: { steps: [{ kind: 'download', arch: 'arm64' }, { kind: 'go-build' }], remarks: [] },
    },
    'builds where no official binaries exist': {
      facts: { platform: 'darwin', arch: 'arm64' },
      want: {
        steps: [{ kind: 'go-build' }],
        remarks: ['download: there are no official server binaries for darwin on arm64'],
      },
    },
    'says what to install when Go is missing': {
      facts: { goVersion: undefined },
      want: {
        steps: [{ kind: 'download', arch: 'amd64' }],
        remarks: [`go build: Go is not installed: ${remedy}`],
      },
    },
    'says what to install when Go is too old': {
      facts: { goVersion: 'go1.19.8' },
      want: {
        steps: [{ kind: 'download', arch: 'amd64' }],
        remarks: [`go build: go1.19.8 is too old: ${remedy}`],
      },
    },
    'builds with the oldest Go that can fetch a newer one': {
      facts: { goVersion: 'go1.24', platform: 'darwin', arch: 'x64' },
      want: {
        steps: [{ kind: 'go-build' }],
        remarks: ['download: there are no official server binaries for darwin on x64'],
      },
    },
    'has no way on a strange machine without Go': {
      facts: { goVersion: undefined, platform: 'freebsd' },
      want: {
        steps: [],
        remarks: [
          'download: there are no official server binaries for freebsd on x64',
          `go build: Go is not installed: ${remedy}`,
        ],
      },
    },
  };

  for (const [name, { facts, want }] of Object.entries(cases)) {
    it(name, () => {
      expect(planAssets(assetFacts(facts))).to.deep.equal(want);
    });
  }
});

function assetFacts(fields: Partial<AssetFacts>): AssetFacts {
  return {
    cache: { directory: '/cache', missing: ['etcd', 'kube-apiserver'] },
    platform: 'linux',
    arch: 'x64',
    goVersion: 'go1.26.8',
    ...fields,
  };
}
