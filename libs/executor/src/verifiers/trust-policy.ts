import { type GoStruct } from '../go/go-struct.ts';
import { goBool, goList, goMap, goString } from '../go/go-type.ts';

/** The fields of one trust policy of a cosign verifier. */
export const TRUST_POLICY = {
  certificateIdentity: goString,
  certificateIdentityRegex: goString,
  certificateOIDCIssuer: goString,
  certificateOIDCIssuerRegex: goString,
  ignoreCTLog: goBool,
  ignoreObserverTimestamps: goBool,
  ignoreTLog: goBool,
  keys: goMap,
  scopes: goList(goString),
};

/** A decoded trust policy of a cosign verifier. */
export type TrustPolicy = GoStruct<typeof TRUST_POLICY>;
