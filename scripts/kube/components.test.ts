import { expect } from 'chai';
import { DEFAULT_KUBERNETES_VERSION, kubernetesVersion } from './components.ts';

describe('kubernetesVersion', () => {
  const cases: Record<string, { text: string | undefined; want: string }> = {
    'has a default': { text: undefined, want: DEFAULT_KUBERNETES_VERSION },
    'takes an empty variable as not set': { text: '', want: DEFAULT_KUBERNETES_VERSION },
    'takes a version with v': { text: 'v1.34.4', want: '1.34.4' },
    'takes a version without v': { text: '1.37.2', want: '1.37.2' },
  };
  for (const [name, { text, want }] of Object.entries(cases)) {
    it(name, () => {
      expect(kubernetesVersion(text)).to.equal(want);
    });
  }

  it('refuses half a version and names the variable', () => {
    expect(() => kubernetesVersion('1.36')).to.throw("KUBERNETES_VERSION is '1.36': want a full version");
  });
});
