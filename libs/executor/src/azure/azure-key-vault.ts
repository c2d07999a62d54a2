import type { KeyClient } from '@azure/keyvault-keys';
import type { SecretClient } from '@azure/keyvault-secrets';
import type { KeyVault, VaultRequest } from '../environment.ts';
import { within } from '../within.ts';
import { type Agents, podAgents } from './agents.ts';
import { hasWorkloadIdentity, newCredential, ONCE } from './credential.ts';
import { providerError } from './provider-failure.ts';
import { TokenTrail } from './token-trail.ts';
import { keyOfAnswer, secretOfAnswer } from './vault-answers.ts';

/** How the vaults of this pod are asked. */
export interface AzureKeyVaultOptions {
  /** The process environment: identity, proxies, authorities. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** How requests leave the pod; by default as the environment says. */
  readonly agents?: Agents;
  /** How long one object may take, its token included, in milliseconds; 20,000 by default. */
  readonly callTimeoutMs?: number;
}

const DEFAULT_CALL_TIMEOUT_MS = 20_000;
/** Vaults that are kept with their clients and tokens, one for each address and identity. */
const MAX_VAULTS = 32;

/**
 * Asks Azure Key Vault as Ratify does: workload identity, then managed identity; certificates are fetched as secrets.
 * Loads the SDK with the first object. Keep one for the life of the process: it keeps clients and tokens.
 *
 * One try per object; nothing is retried here, so that the writer's backoff bounds the calls.
 */
export function azureKeyVault(options: AzureKeyVaultOptions): KeyVault {
  const vaults = new Map<string, Vault>();
  const vaultOf = (request: VaultRequest): Vault => {
    const { vaultURL, clientID, tenantID } = request;
    const key = JSON.stringify([vaultURL, clientID, tenantID]);
    const known = vaults.get(key);
    if (known !== undefined) return known;
    const [oldest] = vaults.keys();
    if (vaults.size >= MAX_VAULTS && oldest !== undefined) vaults.delete(oldest);
    const trail = new TokenTrail();
    const vault = { trail, clients: newClients(request, options, trail) };
    vaults.set(key, vault);
    // What cannot be made now (a file that cannot be read) may be made another time.
    vault.clients.catch(() => vaults.delete(key));
    return vault;
  };
  const ask = async (request: VaultRequest, signal: AbortSignal, get: Get): Promise<unknown> => {
    const vault = vaultOf(request);
    const { name, version } = request;
    try {
      // The managed identity client does not look at signals.
      return await within(signal, options.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS, async (abortSignal) => {
        const clients = await vault.clients;
        return bodyOf((onResponse) => get(clients, name, { abortSignal, onResponse, version }));
      });
    } catch (error) {
      const identity = { ...request, variables: options.variables };
      throw providerError(error, {
        hasWorkloadIdentity: hasWorkloadIdentity(identity),
        token: vault.trail.last,
      });
    }
  };
  return {
    secret: async (request, signal) =>
      secretOfAnswer(
        await ask(request, signal, ({ secrets }, name, asked) => secrets.getSecret(name, asked)),
      ),
    key: async (request, signal) =>
      keyOfAnswer(await ask(request, signal, ({ keys }, name, asked) => keys.getKey(name, asked))),
  };
}

/** One vault as one identity sees it. */
interface Vault {
  readonly clients: Promise<Clients>;
  readonly trail: TokenTrail;
}

interface Clients {
  readonly secrets: SecretClient;
  readonly keys: KeyClient;
}

type OnResponse = (response: { readonly status: number; readonly bodyAsText?: string | null }) => void;
type Get = (
  clients: Clients,
  name: string,
  options: { readonly abortSignal: AbortSignal; readonly onResponse: OnResponse; readonly version: string },
) => Promise<unknown>;

async function newClients(
  request: VaultRequest,
  options: AzureKeyVaultOptions,
  trail: TokenTrail,
): Promise<Clients> {
  const agents = options.agents ?? podAgents(options.variables);
  const credential = await newCredential({ ...request, variables: options.variables }, agents, trail);
  const [{ SecretClient }, { KeyClient }] = await Promise.all([
    import('@azure/keyvault-secrets'),
    import('@azure/keyvault-keys'),
  ]);
  const clientOptions = { agent: agents.https, ...ONCE };
  return {
    secrets: new SecretClient(request.vaultURL, credential, clientOptions),
    keys: new KeyClient(request.vaultURL, credential, clientOptions),
  };
}

/** The answer as the vault wrote it: the SDK fills in what is absent, and stumbles over a key without data. */
async function bodyOf(get: (onResponse: OnResponse) => Promise<unknown>): Promise<unknown> {
  let answer: { body: unknown } | undefined;
  try {
    await get(({ status, bodyAsText }) => {
      if (status === 200) answer = { body: JSON.parse(bodyAsText ?? 'null') };
    });
  } catch (error) {
    if (answer === undefined) throw error;
  }
  return answer?.body;
}
