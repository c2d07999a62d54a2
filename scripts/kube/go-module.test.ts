import { expect } from 'chai';
import { goModFile, versionFlags } from './go-module.ts';

describe('goModFile', () => {
  const kubernetesGoMod = [
    'module k8s.io/kubernetes',
    'go 1.26.0',
    'godebug default=go1.26',
    'require k8s.io/api v0.0.0',
    'replace (',
    '\tk8s.io/api => ./staging/src/k8s.io/api',
    '\tk8s.io/client-go => ./staging/src/k8s.io/client-go',
    ')',
  ].join('\n');

  it('replaces every local library by the published one of the same release', () => {
    const lines = goModFile({ version: '1.36.3', etcdVersion: '3.6.8', kubernetesGoMod }).split('\n');
    expect(lines).to.deep.equal([
      'module kube',
      'go 1.26.0',
      'godebug default=go1.26',
      'require k8s.io/kubernetes v1.36.3',
      'require go.etcd.io/etcd/server/v3 v3.6.8',
      'replace k8s.io/api => k8s.io/api v0.36.3',
      'replace k8s.io/client-go => k8s.io/client-go v0.36.3',
      '',
    ]);
  });

  it('refuses a text that is not what Kubernetes ships', () => {
    expect(() =>
      goModFile({ version: '1.36.3', etcdVersion: '3.6.8', kubernetesGoMod: 'module x' }),
    ).to.throw('the go.mod of k8s.io/kubernetes v1.36.3 names no Go version or no staging module');
  });
});

describe('versionFlags', () => {
  it('stamps the version where the feature defaults look for it', () => {
    const flags = versionFlags('1.34.4');
    expect(flags).to.contain('-X k8s.io/component-base/version.gitVersion=v1.34.4');
    expect(flags).to.contain('-X k8s.io/component-base/version.gitMinor=34');
  });
});
