import { type GoType, TypeMismatch, unmarshal } from '../go/go-type.ts';
import { Fault } from './fault.ts';
import type { FaultCode } from './fault-codes.ts';
import { kindOf } from './found.ts';

/** Decodes `value` at `path` as Ratify's JSON decoder does; a wrong type is the fault `code`. */
export function decode<T>(type: GoType<T>, place: { path: string; value: unknown }, code: FaultCode): T {
  try {
    return unmarshal(type, place.value, place.path);
  } catch (error) {
    if (!(error instanceof TypeMismatch)) throw error;
    // Only the kind of what was found: the field may hold a password.
    const found = `${kindOf(error.found)} where ${error.wanted} belongs`;
    throw new Fault(code, { path: error.path, found });
  }
}
