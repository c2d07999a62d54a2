import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { goodSpec } from '../../../../test/support/executor-specs.ts';
import { admit } from './crd-admission.ts';
import { EXECUTOR_SPEC_SCHEMA } from './executor-schema.ts';

describe('admit', () => {
  const cases: Record<string, { spec: unknown; valid: boolean }> = {
    'takes an object without a spec': { spec: undefined, valid: true },
    'takes a null spec, which is dropped': { spec: null, valid: true },
    'takes a good spec': { spec: goodSpec(), valid: true },
    'takes an empty scope': { spec: goodSpec({ scopes: [''] }), valid: true },
    'takes null in optional fields': {
      spec: goodSpec({ concurrency: null, policyEnforcer: null }),
      valid: true,
    },
    'takes 4.0 as integer': { spec: goodSpec({ concurrency: 4.0 }), valid: true },
    'takes unknown fields': { spec: goodSpec({ unknown: 5 }), valid: true },
    'takes unknown types': {
      spec: goodSpec({ stores: [{ type: 'x', parameters: { any: [null] } }] }),
      valid: true,
    },
    'refuses an empty spec': { spec: {}, valid: false },
    'refuses a list as spec': { spec: [], valid: false },
    'refuses null in a required field': { spec: goodSpec({ scopes: null }), valid: false },
    'refuses null as list item': { spec: goodSpec({ scopes: [null] }), valid: false },
    'refuses an empty list': { spec: goodSpec({ stores: [] }), valid: false },
    'refuses an empty type': { spec: goodSpec({ stores: [{ type: '' }] }), valid: false },
    'refuses a missing name': { spec: goodSpec({ verifiers: [{ type: 'notation' }] }), valid: false },
    'refuses parameters that are no object': {
      spec: goodSpec({ stores: [{ type: 'x', parameters: [] }] }),
      valid: false,
    },
    'refuses a fraction': { spec: goodSpec({ concurrency: 1.5 }), valid: false },
    'refuses an integer beyond 64 bits': { spec: goodSpec({ concurrency: 1e19 }), valid: false },
    'refuses a field in capitals': { spec: { ...goodSpec({ scopes: null }), SCOPES: ['a'] }, valid: false },
  };
  for (const [name, { spec, valid }] of Object.entries(cases)) {
    it(name, () => expect(admit(spec).valid).to.equal(valid));
  }

  it('stores only what the schema declares, and everything below parameters', () => {
    const stores = [{ type: 'x', extra: 1, parameters: { a: null } }];
    const { stored } = admit({ ...goodSpec({ stores, concurrency: null }), extra: 1 });
    expect(stored).to.deep.include({ stores: [{ type: 'x', parameters: { a: null } }] });
    expect(stored).not.to.have.any.keys('extra', 'concurrency');
  });

  it("has the schema of Ratify's CRDs as this project ships them", () => {
    for (const file of ['executors.yaml', 'namespacedexecutors.yaml']) {
      const crd = parse(readFileSync(new URL(`../../../../crds/${file}`, import.meta.url)).toString());
      const { spec } = crd.spec.versions[0].schema.openAPIV3Schema.properties;
      expect(withoutTexts(spec)).to.deep.equal(withoutTexts(EXECUTOR_SPEC_SCHEMA));
    }
  });
});

/** Without descriptions, and with required fields in one order. */
function withoutTexts(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (key === 'description') return undefined;
      return key === 'required' ? (value as string[]).toSorted((a, b) => (a < b ? -1 : 1)) : value;
    }),
  );
}
