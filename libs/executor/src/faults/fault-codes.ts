import type { FaultText } from './fault-text.ts';
import { KEY_PROVIDER_FAULTS, KEY_VAULT_FAULTS } from './key-provider-faults.ts';
import { SPEC_FAULTS } from './spec-faults.ts';
import { POLICY_FAULTS, STORE_FAULTS } from './store-faults.ts';
import { COSIGN_FAULTS, NOTATION_FAULTS } from './verifier-faults.ts';

/** Every kind of fault that a build can end in: a closed set, the categories of the recorded verdicts. */
export const FAULT_CODES = {
  ...SPEC_FAULTS,
  ...NOTATION_FAULTS,
  ...COSIGN_FAULTS,
  ...KEY_PROVIDER_FAULTS,
  ...KEY_VAULT_FAULTS,
  ...STORE_FAULTS,
  ...POLICY_FAULTS,
} as const satisfies Record<string, FaultText>;

export type FaultCode = keyof typeof FAULT_CODES;
