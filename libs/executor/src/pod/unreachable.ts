import type { KeyVault, SigstoreRoot } from '../environment.ts';
import { ProviderError } from '../provider-error.ts';

/** A vault that is asked and never answers, for a build without a network. */
export const unreachableKeyVault: KeyVault = {
  secret: () => Promise.reject(unreachable()),
  key: () => Promise.reject(unreachable()),
};

/** A Sigstore root that is asked for and never comes. */
export const unreachableSigstoreRoot: SigstoreRoot = { fetch: () => Promise.reject(unreachable()) };

/** A Sigstore root that is there: nothing is fetched. */
export const reachableSigstoreRoot: SigstoreRoot = { fetch: () => Promise.resolve() };

function unreachable(): ProviderError {
  return new ProviderError('there is no network', { reason: 'ProviderUnreachable' });
}
