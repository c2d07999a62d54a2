import { expect } from 'chai';
import type { Fault } from '../faults/fault.ts';
import { CosignScopes } from './cosign-scopes.ts';
import { checkNotationScopes } from './notation-scopes.ts';
import { isRepositoryName } from './repository-name.ts';
import { checkScope } from './scope.ts';

const DIGEST = `@sha256:${'a'.repeat(64)}`;

describe('checkScope', () => {
  const good = [
    'registry.example',
    'REGISTRY',
    'localhost:5000',
    'a:',
    'a:99999',
    '*.example',
    '*.',
    'a..b',
    '.a',
    '例え.jp',
    'a;b',
    'a"b',
    'a]b',
    'a,b',
    '::1',
    'a:1:2',
    '[::1]:5000',
    '\u200bx',
    'x\u00a0',
    'r.example/a',
    'r.example/a/b',
    'r/a__b',
    'r/a.b',
    'r/a---b',
    'r/a:',
    'r/a@',
    'r/a:tag@',
    'r/a:!!@',
    '[::1]:5000/a',
  ];
  for (const scope of good)
    it(`takes ${JSON.stringify(scope)}`, () => expect(checkScope(scope)).to.equal(undefined));

  const bad: Record<string, string[]> = {
    Empty: [''],
    WildcardInvalid: ['*', '**', '*.*', 'a.*', '*x', '*:5000', 'r/*', '*.example/a', 'r/a*'],
    TagOrDigest: ['r/a:v1', `r/a${DIGEST}`, `r/a:x${DIGEST}`],
    Invalid: [
      ' ',
      'a b',
      'a\t',
      '\0',
      'a#b',
      'a?b',
      'a@b',
      'a%41',
      'a%',
      'a\\b',
      'a^b',
      'a`b',
      'a{b}',
      'a|b',
      'a:b',
      'a:-1',
      '[a]',
      '[::1]x',
      '[1.2.3.4]',
      'a[b]',
      '[fe80::1%25en0]',
      '/a',
      'r/',
      'r/A',
      'r/.a',
      'r/a.',
      'r/a..b',
      'r/a___b',
      'r/a_-b',
      'r//a',
      'r/a/',
      'r/ü',
      'user@r/a',
      'r/a:!',
      'r/a@sha256:x',
      `r/a@sha256:${'A'.repeat(64)}`,
      `r/a@md5:${'a'.repeat(32)}`,
      `r/a:${'t'.repeat(129)}`,
      'oci://r/a',
      'https://r.example',
    ],
  };
  for (const [kind, scopes] of Object.entries(bad)) {
    for (const scope of scopes) {
      it(`refuses ${JSON.stringify(scope)} as ${kind}`, () => expect(checkScope(scope)?.kind).to.equal(kind));
    }
  }
});

describe('isRepositoryName', () => {
  it('is linear where the usual pattern is not', () => {
    const before = process.cpuUsage().user;
    expect(isRepositoryName(`${'a'.repeat(500_000)}${'-'.repeat(500_000)}!`)).to.equal(false);
    expect(process.cpuUsage().user - before).to.be.below(1_000_000);
  });
});

describe('checkNotationScopes', () => {
  for (const scopes of [
    [],
    ['*'],
    ['r.example/a'],
    ['r.example:99999/a', 'localhost/a--b'],
    ['a-b.C/d_e/f__g'],
  ]) {
    it(`takes ${JSON.stringify(scopes)}`, () =>
      expect(codeOf(() => checkNotationScopes(located(scopes)))).to.equal(undefined));
  }
  const bad: [string[], string, string][] = [
    [['*', 'r/a'], 'NotationScopeWildcardMixed', 's[0]'],
    [['r/a', '*'], 'NotationScopeWildcardMixed', 's[1]'],
    [['r/a', 'r/a'], 'NotationScopeDuplicate', 's[1]'],
    [['r/a', 'r/a', 'r'], 'NotationScopeInvalid', 's[2]'],
    ...[
      'r.example',
      '',
      '**',
      '*.example/a',
      'my_r/a',
      '-r/a',
      'r-/a',
      'r./a',
      '[::1]/a',
      'r:/a',
      'r:x/a',
      'https://r/a',
      'r/A',
      'r/a:v1',
      'r/',
    ].map((scope): [string[], string, string] => [[scope], 'NotationScopeInvalid', 's[0]']),
  ];
  for (const [scopes, code, path] of bad) {
    it(`refuses ${JSON.stringify(scopes)} at ${path}`, () => {
      expect(codeOf(() => checkNotationScopes(located(scopes)))).to.equal(`${code} ${path}`);
    });
  }
});

describe('CosignScopes', () => {
  it('refuses a scope that another trust policy has', () => {
    const scopes = new CosignScopes();
    scopes.add(located(['a', '*.a']));
    expect(codeOf(() => scopes.add(located(['b', 'a'], 't')))).to.equal('CosignScopeDuplicate t[1]');
  });

  it('refuses two trust policies that both have the scopes of the executor', () => {
    const scopes = new CosignScopes();
    scopes.inherit('p[0]', located(['a']));
    expect(codeOf(() => scopes.inherit('p[1]', located(['a'])))).to.equal('CosignScopeDuplicate p[1]');
  });

  it('refuses an own scope that another trust policy has from the executor', () => {
    const scopes = new CosignScopes();
    scopes.inherit('p[0]', located(['a']));
    expect(codeOf(() => scopes.add(located(['a'], 't')))).to.equal('CosignScopeDuplicate t[0]');
  });

  it('blames the executor for a scope that the executor lists twice', () => {
    expect(codeOf(() => new CosignScopes().inherit('p[0]', located(['a', 'a'])))).to.equal(
      'ScopeDuplicate s[1]',
    );
  });

  it('blames the executor for a bad scope of its own', () => {
    expect(codeOf(() => new CosignScopes().inherit('p[0]', located(['a b'])))).to.equal('ScopeInvalid s[0]');
  });
});

function located(values: readonly string[], name = 's') {
  return values.map((value, index) => ({ path: `${name}[${index}]`, value }));
}

function codeOf(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    const { code, path } = error as Fault;
    return `${code} ${path}`;
  }
}
