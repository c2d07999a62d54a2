import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { DashPackError, dashPack, dashUnpack } from './dash-packer.ts';

interface Vectors {
  readonly pairs: readonly { readonly parts: readonly string[]; readonly packed: string }[];
  readonly refused: readonly (readonly string[])[];
}

const VECTORS: Vectors = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/dash-packer.json', import.meta.url), 'utf8'),
);

describe('dashPack', () => {
  it('ID-1 has the 15 golden pairs of Gatekeeper among its vectors', () => {
    expect(VECTORS.pairs.length).to.be.at.least(15);
    expect(VECTORS.pairs[14]?.packed).to.equal('ca----t-do--g-m----ouse');
  });

  for (const { parts, packed } of VECTORS.pairs) {
    it(`ID-1 packs ${parts.join(' + ')} to ${packed}, and back`, () => {
      expect(dashPack(...parts)).to.equal(packed);
      expect(dashUnpack(packed)).to.deep.equal(parts);
    });
  }

  for (const parts of VECTORS.refused) {
    it(`ID-1 refuses ${JSON.stringify(parts)}`, () => {
      expect(() => dashPack(...parts)).to.throw(DashPackError, 'cannot pack');
    });
  }

  it('ID-1 gives the name that people read', () => {
    expect(dashPack('ratify-7d9f-abcde', 'default')).to.equal('ratify--7d9f--abcde-default');
  });

  it('ID-1 gives back any parts, and never the same name for others', () => {
    const part = fc.stringMatching(/^[a-z0-9.]([a-z0-9.-]{0,8}[a-z0-9.])?$/);
    const parts = fc.array(part, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(dashUnpack(dashPack(...one))).to.deep.equal(one);
        const same = JSON.stringify(one) === JSON.stringify(other);
        expect(dashPack(...one) === dashPack(...other)).to.equal(same);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('dashUnpack', () => {
  const strange = ['', '-', '--', 'a-', '-a', 'a--', '--a', 'a---b', 'a-b-', 'a-----b'];
  for (const packed of strange) {
    it(`B44 refuses ${JSON.stringify(packed)}, which no packing gives`, () => {
      expect(() => dashUnpack(packed)).to.throw(DashPackError, 'is not a packed name');
    });
  }

  it('B44 refuses or undoes any text exactly', () => {
    const texts = fc.stringMatching(/^[ab-]{0,12}$/);
    fc.assert(
      fc.property(texts, (text) => {
        const parts = unpackedOrNot(text);
        if (parts !== undefined) expect(dashPack(...parts)).to.equal(text);
      }),
      { numRuns: 2000 },
    );
  });
});

function unpackedOrNot(text: string): string[] | undefined {
  try {
    return dashUnpack(text);
  } catch (error) {
    if (error instanceof DashPackError) return undefined;
    throw error;
  }
}
