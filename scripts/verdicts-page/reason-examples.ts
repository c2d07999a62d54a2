import type { ReportReason } from '@executor-status/api';
import { type Environment, ProviderError } from '@executor-status/executor';
import { cosign, goodSpec, notation } from '../../test/support/executor-specs.ts';

/** What gives a reason, and what to do about it. */
export interface ReasonExample {
  readonly spec: object;
  readonly environment?: Partial<Environment>;
  readonly remedy: string;
}

/** One real build for each reason; the page shows what it says. */
export const REASON_EXAMPLES: Readonly<Record<ReportReason, ReasonExample>> = {
  Built: { spec: goodSpec(), remedy: 'Nothing. Look at the warnings: it builds, but perhaps not as meant.' },
  ConfigInvalid: {
    spec: goodSpec({ scopes: ['registry.example/app:v1'] }),
    remedy:
      'Edit the spec at the path that is named. Never tried again by time: the same spec fails again, in every pod.',
  },
  CredentialsInvalid: {
    spec: goodSpec({ verifiers: [notation({ certificates: [{ files: ['/usr/local/notation/certs'] }] })] }),
    environment: {
      walk: (path) =>
        Promise.resolve({
          files: [{ path: `${path}/README`, realPath: `${path}/README` }],
          watched: [path],
        }),
      readFile: () => Promise.resolve(Buffer.from('certificates go here\n')),
    },
    remedy:
      'Replace or remove the file in the pods that are named, or correct the object in the vault. A changed file is seen within seconds; a vault is asked again.',
  },
  ProviderUnreachable: {
    spec: vaultSpec(),
    environment: failing('getaddrinfo ENOTFOUND name.vault.azure.net', 'ProviderUnreachable'),
    remedy:
      "Look at DNS, proxies, the vault's firewall and private link, network policies, certificates of the network. A vault that answers 403 because of its network says so here too.",
  },
  ProviderThrottled: {
    spec: vaultSpec(),
    environment: failing('the vault answered HTTP 429 Throttled: too many requests', 'ProviderThrottled'),
    remedy: 'Nothing: it is tried again, later each time, and never sooner than the vault asks.',
  },
  ProviderDenied: {
    spec: vaultSpec(),
    environment: failing(
      'the vault answered HTTP 403 Forbidden: no secrets get permission',
      'ProviderDenied',
    ),
    remedy: 'Give the identity of the pod the right to read secrets and keys of that vault.',
  },
  CredentialsExpired: {
    spec: vaultSpec(),
    environment: failing(
      'no token from login.microsoftonline.com, HTTP 401: AADSTS700024: Client assertion is not within its valid time range',
      'CredentialsExpired',
    ),
    remedy: 'Look at the clock of the node and at the federated credential; recreate the pod.',
  },
  IdentityNotInjected: {
    spec: vaultSpec(),
    environment: failing(
      "no token from the node's metadata endpoint: Identity not found",
      'IdentityNotInjected',
    ),
    remedy:
      'Annotate the ServiceAccount for workload identity, or assign an identity to the node; then recreate the pod, as its environment is made with it.',
  },
  BuildTimedOut: {
    spec: vaultSpec(),
    environment: { keyVault: { secret: never, key: never }, deadlineMs: 1 },
    remedy: 'Look at what it waited for, as for ProviderUnreachable; or raise `--build-deadline`.',
  },
  BuildFailed: {
    spec: goodSpec({ verifiers: [cosign({})] }),
    environment: {
      sigstoreRoot: {
        fetch: () =>
          Promise.reject(
            new ProviderError("its cache cannot be written: EROFS, mkdir '/home/nonroot/.sigstore'", {
              reason: 'BuildFailed',
            }),
          ),
      },
    },
    remedy: 'Read the whole `error`. If it speaks of a bug, the log of the sidecar has more.',
  },
};

function vaultSpec(): object {
  const azurekeyvault = { vaultURL: 'https://name.vault.azure.net', certificates: [{ name: 'root' }] };
  return goodSpec({ verifiers: [notation({ certificates: [{ azurekeyvault }] })] });
}

function failing(message: string, reason: ReportReason): Partial<Environment> {
  const fails = () => Promise.reject(new ProviderError(message, { reason }));
  return { keyVault: { secret: fails, key: fails } };
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
