import type { BuildContext } from '../build/build-notes.ts';
import { Fault } from '../faults/fault.ts';
import { quote } from '../faults/found.ts';
import type { Located } from '../go/go-type.ts';
import { ProviderError } from '../provider-error.ts';
import { whyNoRe2 } from '../re2/re2.ts';
import type { TrustPolicy } from './trust-policy.ts';

/** Builds a trust policy without keys: the identity that is asked for, then Sigstore's trusted root. */
export async function buildKeyless(policy: Located<TrustPolicy>, context: BuildContext): Promise<void> {
  const { certificateIdentity, certificateIdentityRegex, certificateOIDCIssuer, certificateOIDCIssuerRegex } =
    policy.value;
  const identity = [certificateIdentity, certificateIdentityRegex];
  const issuer = [certificateOIDCIssuer, certificateOIDCIssuerRegex];
  if ([...identity, ...issuer].every(isEmpty)) {
    context.notes.warn('KeylessWithoutIdentity', policy.path);
  } else {
    await requirePattern(certificateIdentityRegex);
    await requirePattern(certificateOIDCIssuerRegex);
    requireOne(identity, 'an issuer, but no identity');
    requireOne(issuer, 'an identity, but no issuer');
  }
  await fetchRoot(rootPath(policy), context);
}

const isEmpty = ({ value }: Located<string>) => value === '';

async function requirePattern({ path, value }: Located<string>): Promise<void> {
  if (value === '') return;
  const why = await whyNoRe2(value);
  if (why !== undefined) {
    throw new Fault('CosignIdentityRegexInvalid', {
      path,
      found: `${quote(value)} does not compile: ${why}`,
    });
  }
}

function requireOne(fields: readonly Located<string>[], found: string): void {
  const [first] = fields;
  if (first !== undefined && fields.every(isEmpty)) {
    throw new Fault('CosignIdentityIncomplete', { path: first.path, found });
  }
}

/**
 * Where to look when the root is missing: at the identity if that is a pattern and nothing else, as the recorded verdicts
 * do; a pattern that is only an anchored text counts as plain. Else at the whole policy.
 */
function rootPath({ path, value }: Located<TrustPolicy>): string {
  const { certificateIdentity, certificateIdentityRegex, certificateOIDCIssuerRegex } = value;
  const pattern = certificateIdentityRegex.value;
  const plain = pattern === '' || /^\^[\w@]+\$$/.test(pattern);
  const onlyPattern = certificateIdentity.value === '' && certificateOIDCIssuerRegex.value === '';
  return onlyPattern && !plain ? certificateIdentityRegex.path : path;
}

async function fetchRoot(path: string, { environment, notes, signal }: BuildContext): Promise<void> {
  if (environment.sigstoreRoot === undefined) return notes.warn('SigstoreRootNotAsked', path);
  notes.waiting = { path, what: 'the Sigstore root' };
  try {
    await environment.sigstoreRoot.fetch(signal);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const found = 'the Sigstore root could not be fetched';
    const { reason, retryAfterMs } = error;
    throw new Fault(
      'SigstoreRootUnavailable',
      { path, found },
      { reason, cause: error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    );
  }
}
