import { expect } from 'chai';
import { applyJsonPatch, asJsonPatch, PatchError, type PatchOperation } from './json-patch.ts';

const document = { name: 'a', list: [1, 2], deep: { 'with/slash': { 'with~tilde': true } } };

describe('applyJsonPatch', () => {
  const cases: Record<string, { operations: readonly PatchOperation[]; want: unknown }> = {
    'does nothing without operations': { operations: [], want: document },
    'adds a field': {
      operations: [{ op: 'add', path: '/new', value: { x: 1 } }],
      want: { ...document, new: { x: 1 } },
    },
    'replaces a field that is there': {
      operations: [{ op: 'add', path: '/name', value: 'b' }],
      want: { ...document, name: 'b' },
    },
    'adds into a list before the index': {
      operations: [{ op: 'add', path: '/list/1', value: 9 }],
      want: { ...document, list: [1, 9, 2] },
    },
    'adds to the end of a list': {
      operations: [{ op: 'add', path: '/list/2', value: 9 }],
      want: { ...document, list: [1, 2, 9] },
    },
    'removes a field': {
      operations: [{ op: 'remove', path: '/list' }],
      want: { name: document.name, deep: document.deep },
    },
    'removes from a list': {
      operations: [{ op: 'remove', path: '/list/0' }],
      want: { ...document, list: [2] },
    },
    'reads escaped names': {
      operations: [{ op: 'test', path: '/deep/with~1slash/with~0tilde', value: true }],
      want: document,
    },
    'tests lists and objects by content': {
      operations: [
        { op: 'test', path: '/list', value: [1, 2] },
        { op: 'test', path: '/deep', value: { 'with/slash': { 'with~tilde': true } } },
      ],
      want: document,
    },
    'sees what an earlier operation did': {
      operations: [
        { op: 'add', path: '/x', value: {} },
        { op: 'add', path: '/x/y', value: 1 },
      ],
      want: { ...document, x: { y: 1 } },
    },
  };

  for (const [name, { operations, want }] of Object.entries(cases)) {
    it(name, () => {
      const before = structuredClone(document);
      expect(applyJsonPatch(document, operations)).to.deep.equal(want);
      expect(document, 'the document itself').to.deep.equal(before);
    });
  }

  const refused: Record<string, { operation: PatchOperation; says: string }> = {
    'another value': { operation: { op: 'test', path: '/name', value: 'b' }, says: '/name is not "b"' },
    'a longer list': { operation: { op: 'test', path: '/list', value: [1] }, says: '/list is not [1]' },
    'another order': { operation: { op: 'test', path: '/list', value: [2, 1] }, says: '/list is not [2,1]' },
    'an object with more': { operation: { op: 'test', path: '/deep', value: {} }, says: '/deep is not {}' },
    'a test of what is not there': {
      operation: { op: 'test', path: '/none', value: 1 },
      says: '/none does not exist',
    },
    'an inherited name': {
      operation: { op: 'test', path: '/toString', value: 1 },
      says: '/toString does not exist',
    },
    'a removal of what is not there': { operation: { op: 'remove', path: '/none' }, says: 'does not exist' },
    'a parent that is not there': {
      operation: { op: 'add', path: '/none/x', value: 1 },
      says: '/none/x does not exist',
    },
    'an index beyond the end': {
      operation: { op: 'add', path: '/list/3', value: 1 },
      says: 'cannot be added',
    },
    'a child of a text': { operation: { op: 'add', path: '/name/x', value: 1 }, says: 'cannot be added' },
  };

  for (const [name, { operation, says }] of Object.entries(refused)) {
    it(`refuses ${name}`, () => {
      expect(() => applyJsonPatch(document, [operation])).to.throw(PatchError, says);
    });
  }
});

describe('asJsonPatch', () => {
  it('takes the three kinds of operation', () => {
    const patch = [
      { op: 'test', path: '/a', value: null },
      { op: 'add', path: '/b', value: 1 },
      { op: 'remove', path: '/c' },
    ];
    expect(asJsonPatch(patch)).to.deep.equal(patch);
  });

  const refused: Record<string, { patch: unknown; says: string }> = {
    'what is no list': { patch: {}, says: 'list of operations' },
    'an operation that is no object': { patch: ['add'], says: 'operation 0 has no path' },
    'an operation without a path': { patch: [{ op: 'remove' }], says: 'operation 0 has no path' },
    'a path without a slash': { patch: [{ op: 'remove', path: 'a' }], says: 'operation 0 has no path' },
    'an add without a value': { patch: [{ op: 'add', path: '/a' }], says: '"add"' },
    'another kind': { patch: [{ op: 'move', path: '/a', from: '/b' }], says: '"move"' },
  };

  for (const [name, { patch, says }] of Object.entries(refused)) {
    it(`refuses ${name}`, () => {
      expect(() => asJsonPatch(patch)).to.throw(PatchError, says);
    });
  }
});
