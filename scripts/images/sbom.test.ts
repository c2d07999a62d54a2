import { expect } from 'chai';
import { packageFolder } from './bundled-packages.ts';
import { sbom, systemComponents } from './sbom.ts';

const COMPONENTS = [
  { name: 'rxjs', version: '7.8.2', license: 'Apache-2.0', purl: 'pkg:npm/rxjs@7.8.2' },
  ...systemComponents('24.22.3', [{ name: 'libstdc++6', version: '12.2.0-14+deb12u1' }]),
];
const FACTS = { name: 'executor-writer', version: '0.1.0', created: '2026-01-01T00:00:00Z' };

describe('sbom', () => {
  const document = sbom({ ...FACTS, components: COMPONENTS });

  it('SE-6 names the image and all that it contains, each once', () => {
    expect(document.packages.map(({ name }) => name)).to.have.members([
      'executor-writer',
      'rxjs',
      'node',
      'libstdc++6',
    ]);
    const ids = document.packages.map(({ SPDXID }) => SPDXID);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const id of ids) expect(id).to.match(/^SPDXRef-[A-Za-z0-9.-]+$/);
    expect(document.relationships.map(({ relatedSpdxElement }) => relatedSpdxElement)).to.have.members(ids);
  });

  it('SE-6 says the license where it is known, and that it is not where it is not', () => {
    const licenses = Object.fromEntries(
      document.packages.map((found) => [found.name, found.licenseDeclared]),
    );
    expect(licenses).to.deep.equal({
      'executor-writer': 'Apache-2.0',
      rxjs: 'Apache-2.0',
      node: 'MIT',
      'libstdc++6': 'NOASSERTION',
    });
  });

  it('does not depend on the order in which files were bundled', () => {
    expect(sbom({ ...FACTS, components: COMPONENTS.toReversed() })).to.deep.equal(document);
  });
});

describe('packageFolder', () => {
  const cases: Record<string, string | undefined> = {
    'node_modules/rxjs/dist/index.js': 'node_modules/rxjs',
    'node_modules/@azure/core-client/dist/a.js': 'node_modules/@azure/core-client',
    'node_modules/a/node_modules/b/index.js': 'node_modules/a/node_modules/b',
    'libs/kube/src/index.ts': undefined,
  };
  for (const [path, want] of Object.entries(cases)) {
    it(`finds ${want ?? 'none'} for ${path}`, () => {
      expect(packageFolder(path)).to.equal(want);
    });
  }
});
