import { expect } from 'chai';
import type { Fault } from '../faults/fault.ts';
import { parseDistinguishedName } from './distinguished-name.ts';
import { checkNotationIdentities } from './notation-identities.ts';

describe('parseDistinguishedName', () => {
  const good: Record<string, [string, Record<string, string>]> = {
    'trims blanks around types and values': [' C = US , ST=WA,O= V ', { C: 'US', ST: 'WA', O: 'V' }],
    'takes S for ST': ['C=US,S=WA,O=V', { C: 'US', ST: 'WA', O: 'V' }],
    'takes semicolons': ['C=US;ST=WA;O=V', { C: 'US', ST: 'WA', O: 'V' }],
    'keeps quotes': ['C=US,ST=WA,O="V"', { C: 'US', ST: 'WA', O: '"V"' }],
    'decodes escapes': ['C=US,ST=WA,O=a\\,b\\2c\\ ', { C: 'US', ST: 'WA', O: 'a,b, ' }],
    'ends the type at the first equals sign': ['C=US,ST=WA,O=a=b', { C: 'US', ST: 'WA', O: 'a=b' }],
    'passes over an empty type before a type': ['=C=US,ST=WA,O=V', { C: 'US', ST: 'WA', O: 'V' }],
    'takes an empty value as absent': ['CN=,CN=x,C=US,ST=WA,O=V', { CN: 'x', C: 'US', ST: 'WA', O: 'V' }],
    'takes a hash behind a blank': ['C=US,ST=WA,O= #ff', { C: 'US', ST: 'WA', O: '#ff' }],
  };
  for (const [name, [text, want]] of Object.entries(good)) {
    it(name, () => {
      const parsed = parseDistinguishedName(text);
      expect(parsed.kind === 'name' ? Object.fromEntries(parsed.attributes) : parsed.why).to.deep.equal(want);
    });
  }
  const bad = [
    '',
    '  ',
    '*',
    'C=US',
    'C=US,O=V',
    'c=US,st=WA,o=V',
    'C=US,ST=WA,O=',
    'C=US,ST=WA,O=V,',
    'C=US,ST=WA,O=V,O=W',
    'C=US+ST=WA,O=V',
    'C=US,ST=WA,O=V+',
    '=US,ST=WA,O=V',
    'CUS,ST=WA,O=V',
    'C=US,ST=WA,O=a\\zz',
    'C=US,ST=WA,O=a\\2',
    'C=US,ST=WA,O=a\\',
    'C=US,ST=WA,O=#ff',
  ];
  for (const text of bad) {
    it(`refuses ${JSON.stringify(text)}`, () =>
      expect(parseDistinguishedName(text).kind).to.equal('problem'));
  }
});

describe('checkNotationIdentities', () => {
  const V = 'x509.subject:C=US,ST=WA,O=V';
  const cases: Record<string, [string[], string | undefined]> = {
    'takes none': [[], undefined],
    'takes a single wildcard': [['*'], undefined],
    'takes any text behind a foreign prefix': [['did:web:x', 'custom:', 'X509.SUBJECT:'], undefined],
    'takes names of which none is in another': [[V, 'x509.subject:C=US,ST=WA,O=W'], undefined],
    'refuses a wildcard beside others': [[V, '*'], 'NotationIdentityWildcardMixed i[1]'],
    'refuses two wildcards': [['*', '*'], 'NotationIdentityWildcardMixed i[0]'],
    'refuses an empty one': [[V, ''], 'NotationIdentityEmpty i[1]'],
    'refuses one without a colon': [['C=US'], 'NotationIdentityNoSeparator i[0]'],
    'refuses one without a value': [['x509.subject:'], 'NotationIdentityNoValue i[0]'],
    'refuses a bad name': [['x509.subject:*'], 'NotationIdentityInvalidDN i[0]'],
    'refuses equal names': [[V, V], 'NotationIdentityOverlap i[0]'],
    'refuses a name that is in a later one': [[V, `${V},CN=x`], 'NotationIdentityOverlap i[0]'],
    'refuses a name that is in an earlier one': [[`${V},CN=x`, V], 'NotationIdentityOverlap i[1]'],
    'looks at the form of all before it looks for overlap': [
      [V, V, 'bad'],
      'NotationIdentityNoSeparator i[2]',
    ],
  };
  for (const [name, [identities, want]] of Object.entries(cases)) {
    it(name, () => {
      const located = identities.map((value, index) => ({ path: `i[${index}]`, value }));
      try {
        checkNotationIdentities(located);
        expect(want).to.equal(undefined);
      } catch (error) {
        const { code, path } = error as Fault;
        expect(`${code} ${path}`).to.equal(want);
      }
    });
  }
});
