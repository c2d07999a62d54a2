import { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-codes.ts';
import { quote } from '../faults/found.ts';
import type { Located } from '../go/go-type.ts';
import { checkScope, type ScopeProblem } from './scope.ts';

/** The fault codes of one kind of scope. */
export type ScopeCodes = Readonly<Record<ScopeProblem['kind'] | 'Duplicate', FaultCode>>;

export const EXECUTOR_SCOPES: ScopeCodes = {
  Empty: 'ScopeEmpty',
  Invalid: 'ScopeInvalid',
  TagOrDigest: 'ScopeTagOrDigest',
  WildcardInvalid: 'ScopeWildcardInvalid',
  Duplicate: 'ScopeDuplicate',
};

export const COSIGN_SCOPES: ScopeCodes = {
  Empty: 'CosignScopeEmpty',
  Invalid: 'CosignScopeInvalid',
  TagOrDigest: 'CosignScopeTagOrDigest',
  WildcardInvalid: 'CosignScopeWildcardInvalid',
  Duplicate: 'CosignScopeDuplicate',
};

/** Throws the fault of a scope that is none. */
export function requireScope({ path, value }: Located<string>, codes: ScopeCodes): void {
  const problem = checkScope(value);
  if (problem === undefined) return;
  const subject = value === '' ? 'the scope' : quote(value);
  throw new Fault(codes[problem.kind], { path, found: `${subject} ${problem.why}` });
}

/** Throws the fault of the first text that stands there twice; exact texts count, as in Ratify. */
export function requireDistinct(scopes: readonly Located<string>[], codes: ScopeCodes): void {
  const seen = new Map<string, string>();
  for (const { path, value } of scopes) {
    const first = seen.get(value);
    if (first !== undefined) {
      throw new Fault(codes.Duplicate, { path, found: `${quote(value)} is also at ${first}` });
    }
    seen.set(value, path);
  }
}
