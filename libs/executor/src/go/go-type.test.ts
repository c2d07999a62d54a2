import { expect } from 'chai';
import { goStruct } from './go-struct.ts';
import { goBool, goInt64, goList, goMap, goPointer, goString, TypeMismatch, unmarshal } from './go-type.ts';

const INNER = goStruct({ on: goBool, label: goString });
const TYPE = goStruct({
  name: goString,
  size: goInt64,
  flag: goBool,
  tags: goList(goString),
  extra: goMap,
  items: goList(INNER),
  link: goPointer(INNER),
});

describe('the JSON decoder', () => {
  const cases: Record<string, { json: string; want: object }> = {
    'takes names in any case': { json: '{"NAME":"a"}', want: { name: 'a' } },
    'folds the long s into s': { json: '{"tagſ":["a"]}', want: { tags: ['a'] } },
    'folds the Kelvin sign into k': {
      json: '{"lin\u212a":{"on":true}}',
      want: { link: { on: true, label: '' } },
    },
    'folds no dotted i': { json: '{"lİnk":5}', want: {} },
    'ignores unknown names': { json: '{"nome":5}', want: {} },
    'decodes two spellings in byte order': { json: '{"name":"low","NAME":"up"}', want: { name: 'low' } },
    'keeps a string over null': { json: '{"NAME":"up","name":null}', want: { name: 'up' } },
    'empties a list by null': { json: '{"TAGS":["a"],"tags":null}', want: { tags: [] } },
    'empties a map by null': { json: '{"EXTRA":{"a":1},"extra":null}', want: { extra: undefined } },
    'merges two spellings of a map': {
      json: '{"EXTRA":{"a":1},"extra":{"b":2}}',
      want: { extra: { a: 1, b: 2 } },
    },
    'keeps map names exact': { json: '{"extra":{"A":1,"a":2}}', want: { extra: { A: 1, a: 2 } } },
    'reads null in a list of strings as empty': { json: '{"tags":[null,"b"]}', want: { tags: ['', 'b'] } },
    'decodes into the items that an earlier spelling left': {
      json: '{"TAGS":["a","b"],"tags":[null]}',
      want: { tags: ['a'] },
    },
    'merges structs in a list': {
      json: '{"ITEMS":[{"on":true}],"items":[{"label":"x"}]}',
      want: { items: [{ on: true, label: 'x' }] },
    },
    'forgets a pointer by null': { json: '{"LINK":{"on":true},"link":null}', want: { link: undefined } },
    'takes 4.0 as a whole number': { json: '{"size":4.0}', want: { size: 4 } },
    'takes the least number of 64 bits': {
      json: '{"size":-9223372036854775808}',
      want: { size: -(2 ** 63) },
    },
    'replaces half a surrogate pair': { json: '{"name":"\\ud800"}', want: { name: '\ufffd' } },
    'finds no field in names of every object': {
      json: '{"constructor":5,"__proto__":6,"toString":7}',
      want: {},
    },
  };
  for (const [name, { json, want }] of Object.entries(cases)) {
    it(name, () => {
      const zero = { name: '', size: 0, flag: false, tags: [], extra: undefined, items: [], link: undefined };
      expect(plain(unmarshal(TYPE, JSON.parse(json), 'p'))).to.deep.equal({ ...zero, ...want });
    });
  }

  const mismatches: Record<string, { json: string; path: string }> = {
    'refuses a number as string': { json: '{"name":5}', path: 'p.name' },
    'refuses a fraction': { json: '{"size":1.5}', path: 'p.size' },
    'refuses a number beyond 64 bits': { json: '{"size":1e19}', path: 'p.size' },
    'refuses a wrong type that another spelling hides': { json: '{"TAGS":5,"tags":["a"]}', path: 'p.TAGS' },
    'reports the first in byte order': { json: '{"size":"x","flag":"y"}', path: 'p.flag' },
    'reports an item by its index': { json: '{"tags":["a",5]}', path: 'p.tags[1]' },
    'reports a field of an item': { json: '{"items":[{"ON":"x"}]}', path: 'p.items[0].ON' },
    'refuses a list as object': { json: '[]', path: 'p' },
    'refuses true as list': { json: '{"items":true}', path: 'p.items' },
  };
  for (const [name, { json, path }] of Object.entries(mismatches)) {
    it(name, () => {
      expect(() => unmarshal(TYPE, JSON.parse(json), 'p'))
        .to.throw(TypeMismatch)
        .with.property('path', path);
    });
  }

  it('says where each value came from', () => {
    const { name, tags } = unmarshal(TYPE, { NAME: 'x', name: null, tags: ['a'] }, 'p');
    expect([name.path, tags.path, tags.value[0]?.path]).to.deep.equal(['p.NAME', 'p.tags', 'p.tags[0]']);
  });

  it('says where a missing value would be', () => {
    expect(unmarshal(TYPE, null, 'p').size.path).to.equal('p.size');
  });
});

/** Decoded values without their places. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, entry]) => [key, plain(entry)]));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('path' in value && 'value' in value) return plain(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
}
