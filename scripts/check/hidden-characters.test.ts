import { expect } from 'chai';
import { hiddenCharacters } from './hidden-characters.ts';
import { oldGroupMentions } from './old-group-mentions.ts';

describe('hiddenCharacters', () => {
  const hidden = [
    '\u200b',
    '\u200d',
    '\u200e',
    '\u202e',
    '\u2066',
    '\u2069',
    '\ufeff',
    '\u00ad',
    '\u061c',
    '\u{e0041}',
    '\ufe0f',
  ];
  for (const char of hidden) {
    const point = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    it(`PR10 finds U+${point} and says where`, () => {
      expect(hiddenCharacters([{ path: 'a.ts', text: `x\nab${char}c\n` }])).to.deep.equal([
        `a.ts:2:3: hidden character U+${point}: remove it, or write it as an escape`,
      ]);
    });
  }

  it('PR10 finds none in letters, signs and emoji', () => {
    expect(hiddenCharacters([{ path: 'a.md', text: 'ä 漢 🦊 — … „“ → ≤ \t\r\n' }])).to.deep.equal([]);
  });

  it('leaves recorded files as they are', () => {
    const path = 'test/fixtures/vectors/fixtures/root-bom.pem';
    expect(hiddenCharacters([{ path, text: '\ufeff-----BEGIN' }])).to.deep.equal([]);
  });
});

describe('oldGroupMentions', () => {
  const text = `a\nb config.ratify.dev\n`;

  it('V9 finds the old group in code, manifests and docs, and says where', () => {
    for (const path of [
      'libs/api/src/groups.ts',
      'manifests/base/role.yaml',
      'docs/runbook.md',
      'README.md',
    ]) {
      expect(oldGroupMentions([{ path, text }])).to.deep.equal([
        `${path}:2: names config.ratify.dev: the group is config.ratify.sh since 2026`,
      ]);
    }
  });

  it('V9 leaves the setting, its manifest component and its docs alone', () => {
    for (const path of [
      'apps/executor-writer/src/config.ts',
      'manifests/components/config-ratify-dev/kustomization.yaml',
      'docs/settings.md',
    ]) {
      expect(oldGroupMentions([{ path, text }])).to.deep.equal([]);
    }
  });
});
