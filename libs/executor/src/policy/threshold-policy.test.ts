import { expect } from 'chai';
import { emptyEnvironment, goodSpec, member } from '../../../../test/support/executor-specs.ts';
import { buildExecutor } from '../build-executor.ts';

const LEAF = { verifierName: 'n1' };

describe('threshold-policy', () => {
  const cases: Record<string, { policy: unknown; want: string }> = {
    'takes rules': { policy: { rules: [LEAF, { rules: [LEAF] }] }, want: 'Built' },
    'takes a threshold that the rules can reach': {
      policy: { threshold: 2, rules: [LEAF, LEAF] },
      want: 'Built',
    },
    'cuts a threshold towards zero': {
      policy: { threshold: -0.5, rules: [{ ...LEAF, threshold: 0.9 }] },
      want: 'Built',
    },
    'takes null as absent': { policy: { verifierName: null, threshold: null, rules: [LEAF] }, want: 'Built' },
    'ignores unknown fields': { policy: { Rules: 5, rules: [LEAF] }, want: 'Built' },
    'wants a rule': { policy: null, want: 'PolicyRuleMissing policy' },
    'wants an object as rule': { policy: 'x', want: 'PolicyRuleType policy' },
    'wants rules that are objects': {
      policy: { rules: [LEAF, null] },
      want: 'PolicyRuleType policy.rules[1]',
    },
    'wants a list of rules': { policy: { rules: LEAF }, want: 'PolicyRuleType policy.rules' },
    'looks at types in order of the fields': {
      policy: { verifierName: 1, threshold: 'x', rules: 5 },
      want: 'PolicyRuleType policy.verifierName',
    },
    'looks at all types before any meaning': {
      policy: { verifierName: 'x', rules: [{ rules: [{ threshold: 'x' }] }] },
      want: 'PolicyRuleType policy.rules[0].rules[0].threshold',
    },
    'wants no verifier at the root': {
      policy: { verifierName: 'n1', threshold: -1 },
      want: 'PolicyRootVerifier policy.verifierName',
    },
    'wants no negative threshold': {
      policy: { threshold: -1, rules: [LEAF] },
      want: 'PolicyThresholdNegative policy.threshold',
    },
    'wants no threshold beyond the rules': {
      policy: { rules: [{ ...LEAF, threshold: 1 }] },
      want: 'PolicyThresholdTooHigh policy.rules[0].threshold',
    },
    'wants no empty rule': { policy: { rules: [{ rules: [] }] }, want: 'PolicyRuleEmpty policy.rules[0]' },
    'wants no empty root': { policy: {}, want: 'PolicyRuleEmpty policy' },
    'looks at a rule before its own rules': {
      policy: { threshold: 9, rules: [{}] },
      want: 'PolicyThresholdTooHigh policy.threshold',
    },
    'looks at the rules of a rule before its neighbour': {
      policy: { rules: [{ rules: [{ threshold: -1 }] }, {}] },
      want: 'PolicyThresholdNegative policy.rules[0].rules[0].threshold',
    },
  };
  for (const [name, { policy, want }] of Object.entries(cases)) {
    it(name, async () => {
      const policyEnforcer = { type: 'threshold-policy', parameters: { policy } };
      const { code, path, reason } = await buildExecutor(
        member(goodSpec({ policyEnforcer })),
        emptyEnvironment(),
      );
      expect(
        code === undefined ? reason : `${code} ${path?.replace('spec.policyEnforcer.parameters.', '')}`,
      ).to.equal(want);
    });
  }

  it('wants parameters that are an object', async () => {
    const policyEnforcer = { type: 'threshold-policy', parameters: [] };
    const { code } = await buildExecutor(member(goodSpec({ policyEnforcer })), emptyEnvironment());
    expect(code).to.equal('PolicyParametersType');
  });
});
