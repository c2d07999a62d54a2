import { expect } from 'chai';
import { parseGoAuthority, parseGoUrl } from './go-url.ts';

describe('parseGoUrl', () => {
  const cases: Record<string, [string, string | undefined]> = {
    'lowers the scheme': ['HTTPS://v.example', 'https v.example'],
    'keeps the port': ['https://v.example:8443/x', 'https v.example:8443'],
    'drops userinfo': ['https://user:pw@v.example', 'https v.example'],
    'decodes bytes outside ASCII in a host': ['https://%c3%a9.example', 'https é.example'],
    'has no host behind an opaque scheme': ['vault:name', 'vault '],
    'has no host in a path': ['/a/b', ' '],
    'refuses a text without scheme': ['::not a url::', undefined],
    'refuses a colon in the first segment of a path': ['a b:c', undefined],
    'refuses a control character': ['https://a\n', undefined],
    'refuses a broken escape in the path': ['https://a/%zz', undefined],
    'refuses a broken escape in the fragment': ['https://a/#%zz', undefined],
    'refuses an escaped ASCII byte in a host': ['https://a%41', undefined],
    'refuses a blank in a host': ['https://a b', undefined],
    'refuses two colons behind https': ['https://a:1:2', undefined],
    'takes two colons behind another scheme': ['dummy://a:1:2', 'dummy a:1:2'],
    'takes an IPv6 literal with a port': ['https://[::1]:80', 'https [::1]:80'],
    'refuses an IPv4 literal': ['https://[1.2.3.4]', undefined],
  };
  for (const [name, [text, want]] of Object.entries(cases)) {
    it(name, () => {
      const url = parseGoUrl(text);
      expect(url && `${url.scheme} ${url.host}`).to.equal(want);
    });
  }

  it('tells path, query and fragment', () => {
    expect(parseGoUrl('https://h/p?q#f')).to.deep.equal({
      scheme: 'https',
      host: 'h',
      path: '/p',
      query: 'q',
      fragment: 'f',
    });
  });
});

describe('parseGoAuthority', () => {
  for (const text of [
    'a',
    'a:',
    'a:99999',
    '::1',
    'a]b',
    'a"b',
    "a'b",
    'a<b>',
    'é',
    '\u200b',
    '[::]',
    '[::ffff:1.2.3.4]',
  ]) {
    it(`takes ${JSON.stringify(text)} as it is`, () =>
      expect(parseGoAuthority(text, 'dummy')).to.equal(text));
  }
  for (const text of [
    'a:b',
    'a:-1',
    '[a]',
    'a[b]',
    '[::1]x',
    '[::1',
    'a%',
    'a\\b',
    'a^b',
    'a`b',
    'a{b}',
    'a|b',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => expect(parseGoAuthority(text, 'dummy')).to.equal(undefined));
  }
});
