import { expect } from 'chai';
import type { ApiAnswer, ApiObject } from '../support/control-plane.ts';

/** An object, or the Status that says why not. */
export type Answer = Partial<ApiObject> & {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
};

/** Why an object is invalid. */
export interface Cause {
  readonly field: string;
  /** Part of the API server's message. */
  readonly says: string;
}

/** Expects that the API server took an object. */
export function expectAdmitted({ code, body }: ApiAnswer<Answer>): void {
  expect(code, body.message).to.be.oneOf([200, 201]);
}

/** Expects that the API server refused an object as invalid, because of one field and nothing else. */
export function expectRefused({ code, body }: ApiAnswer<Answer>, { field, says }: Cause): void {
  expect(code, body.message).to.equal(422);
  const causes = (body.details?.causes ?? []).filter(({ message }) => !message.includes(SKIPPED_RULES));
  expect([...new Set(causes.map((cause) => cause.field))], body.message).to.deep.equal([field]);
  expect(
    causes.some(({ message }) => message.includes(says)),
    `${body.message} says ${says}`,
  ).to.equal(true);
}

/** What the API server adds when it did not come to the rules in CEL. */
const SKIPPED_RULES = 'some validation rules were not checked';
