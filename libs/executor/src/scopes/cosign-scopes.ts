import { Fault } from '../faults/fault.ts';
import { quote } from '../faults/found.ts';
import type { Located } from '../go/go-type.ts';
import { COSIGN_SCOPES, EXECUTOR_SCOPES, requireScope } from './scope-register.ts';

/** Which trust policy of one cosign verifier has which scope. */
export class CosignScopes {
  /** Scope to the place that holds it. */
  readonly #taken = new Map<string, string>();

  /** Enters the scopes that a trust policy lists itself. */
  add(scopes: readonly Located<string>[]): void {
    for (const scope of scopes) {
      requireScope(scope, COSIGN_SCOPES);
      const holder = this.#taken.get(scope.value);
      if (holder !== undefined) throw taken(scope, holder);
      this.#taken.set(scope.value, scope.path);
    }
  }

  /** Enters the executor's scopes for the trust policy at `policyPath`, which lists none. */
  inherit(policyPath: string, scopes: readonly Located<string>[]): void {
    const own = new Map<string, string>();
    for (const scope of scopes) {
      requireScope(scope, EXECUTOR_SCOPES);
      const first = own.get(scope.value);
      if (first !== undefined) {
        const found = `${quote(scope.value)} is also at ${first}`;
        throw new Fault('ScopeDuplicate', { path: scope.path, found });
      }
      const holder = this.#taken.get(scope.value);
      if (holder !== undefined) throw taken({ path: policyPath, value: scope.value }, holder);
      own.set(scope.value, scope.path);
    }
    for (const [value] of own) this.#taken.set(value, policyPath);
  }
}

function taken({ path, value }: Located<string>, holder: string): Fault {
  return new Fault('CosignScopeDuplicate', { path, found: `${quote(value)} is also used at ${holder}` });
}
