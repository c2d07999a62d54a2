import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { resolveAssets } from './assets.ts';
import { REQUIRED_COMPONENTS } from './components.ts';

describe('resolveAssets', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'assets-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('takes the binaries that KUBEBUILDER_ASSETS names, and says so', async () => {
    const lines: string[] = [];
    await fakeBinaries(join(root, 'bin'));
    const env = { KUBEBUILDER_ASSETS: join(root, 'bin'), XDG_CACHE_HOME: root, PATH: '' };
    const assets = await resolveAssets({ env, log: (line) => lines.push(line) });
    expect(assets).to.deep.include({ version: '1.33.7', source: 'KUBEBUILDER_ASSETS' });
    expect(assets.path('etcd')).to.equal(join(root, 'bin', 'etcd'));
    expect(lines).to.deep.equal([`Kubernetes 1.33.7 from KUBEBUILDER_ASSETS: ${join(root, 'bin')}`]);
  });

  it('says when the named binaries are of another version than was asked for', async () => {
    const lines: string[] = [];
    await fakeBinaries(join(root, 'bin'));
    const env = { KUBEBUILDER_ASSETS: join(root, 'bin'), XDG_CACHE_HOME: root, PATH: '' };
    await resolveAssets({ version: '1.34.4', env, log: (line) => lines.push(line) });
    expect(lines.at(-1)).to.equal('KUBEBUILDER_ASSETS goes before the wish for 1.34.4');
  });

  it('refuses a version that is none before it looks anywhere', async () => {
    const env = { KUBERNETES_VERSION: 'latest', XDG_CACHE_HOME: root };
    const error: unknown = await resolveAssets({ env, log: () => undefined }).catch(
      (reason: unknown) => reason,
    );
    expect(String(error)).to.contain("KUBERNETES_VERSION is 'latest'");
  });
});

async function fakeBinaries(directory: string): Promise<void> {
  await mkdir(directory);
  for (const component of REQUIRED_COMPONENTS) {
    await writeFile(join(directory, component), '#!/bin/sh\necho Kubernetes v1.33.7\n', { mode: 0o755 });
  }
}
