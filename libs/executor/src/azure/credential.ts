import type { AccessToken, GetTokenOptions, TokenCredential } from '@azure/identity';
import type { Agents } from './agents.ts';
import type { TokenTrail } from './token-trail.ts';

/** Whose identity asks a vault. */
export interface Identity {
  /** From the spec; empty: the environment's. */
  readonly clientID: string;
  /** From the spec; empty: the environment's. */
  readonly tenantID: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** What workload identity needs and its webhook injects when a pod is made. */
const TOKEN_FILE = 'AZURE_FEDERATED_TOKEN_FILE';
/** The writer retries by its own rules; each try asks once. */
export const ONCE = { retryOptions: { maxRetries: 0 } } as const;

/** Whether the environment, with the spec, has all of workload identity. */
export function hasWorkloadIdentity({ clientID, tenantID, variables }: Identity): boolean {
  const { AZURE_CLIENT_ID: client = '', AZURE_TENANT_ID: tenant = '', [TOKEN_FILE]: file = '' } = variables;
  return [clientID || client, tenantID || tenant, file].every((value) => value !== '');
}

/**
 * Ratify's chain: workload identity if the environment has it, then managed identity. As in Ratify's SDK, and unlike
 * this one's chain, a source that is there and fails ends the chain. Loads the SDK.
 */
export async function newCredential(
  identity: Identity,
  agents: Agents,
  trail: TokenTrail,
): Promise<TokenCredential> {
  const { ManagedIdentityCredential } = await import('@azure/identity');
  const { clientID } = identity;
  // Only an identity that the spec names is asked for; else the node's own.
  const managed = new ManagedIdentityCredential({
    ...optional('clientId', clientID),
    agent: agents.http,
    ...ONCE,
  });
  const sources: Source[] = [{ from: "the node's metadata endpoint", credential: managed }];
  const workload = await newWorkloadIdentity(identity, agents, trail);
  if (workload !== undefined) sources.unshift({ from: 'workload identity', credential: workload });
  const getToken = async (
    scopes: string | string[],
    options?: GetTokenOptions,
  ): Promise<AccessToken | null> => {
    for (const [index, { from, credential }] of sources.entries()) {
      try {
        return await trail.follow(from, () => credential.getToken(scopes, options));
      } catch (error) {
        const unavailable = error instanceof Error && error.name === 'CredentialUnavailableError';
        if (!unavailable || index === sources.length - 1) throw error;
      }
    }
    return null;
  };
  return { getToken };
}

interface Source {
  readonly from: string;
  readonly credential: TokenCredential;
}

/** As in Ratify, an identity that cannot even be set up (a malformed tenant) is passed over. */
async function newWorkloadIdentity(
  identity: Identity,
  agents: Agents,
  trail: TokenTrail,
): Promise<TokenCredential | undefined> {
  if (!hasWorkloadIdentity(identity)) return undefined;
  const { WorkloadIdentityCredential } = await import('@azure/identity');
  const { clientID, tenantID, variables } = identity;
  try {
    return new WorkloadIdentityCredential({
      clientId: clientID || (variables['AZURE_CLIENT_ID'] ?? ''),
      tenantId: tenantID || (variables['AZURE_TENANT_ID'] ?? ''),
      tokenFilePath: variables[TOKEN_FILE] ?? '',
      ...optional('authorityHost', variables['AZURE_AUTHORITY_HOST']),
      disableInstanceDiscovery: true,
      agent: agents.https,
      additionalPolicies: [trail.policy],
      ...ONCE,
    });
  } catch {
    return undefined;
  }
}

function optional<K extends string>(name: K, value: string | undefined): { readonly [N in K]?: string } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [N in K]: string });
}
