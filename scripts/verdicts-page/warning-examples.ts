import type { WarningCode } from '@executor-status/executor';
import { cosign, fixture, goodSpec, notation, store } from '../../test/support/executor-specs.ts';

/** What gives a warning: a spec, and in words what is in it. */
export interface WarningExample {
  readonly spec: object;
  readonly words: string;
  /** What a path of the spec is in the pod; by default it is not there. */
  readonly path?: 'empty folder' | 'link to a folder';
}

const KEYS = { inline: { keys: fixture('keys/p256.pub') } };
const VAULT = {
  azurekeyvault: { vaultURL: 'https://name.vault.azure.net', certificates: [{ name: 'root' }] },
};

/** One real spec for each warning; the page shows where it points, and a test builds each. */
export const WARNING_EXAMPLES: Readonly<Record<WarningCode, WarningExample>> = {
  PrivateKeyInSpec: {
    spec: inline('root-then-private.pem'),
    words: '`inline.certs` with a block PRIVATE KEY',
  },
  KeylessWithoutIdentity: {
    spec: goodSpec({ verifiers: [cosign({})] }),
    words: '`trustPolicies: [{}]`',
  },
  PolicyMissing: { spec: goodSpec({ policyEnforcer: null }), words: 'no `policyEnforcer`' },
  CertificateExpired: { spec: inline('root-expired.pem'), words: 'a CA that has ended' },
  FilesPathMissing: { spec: files('/certs'), words: '`files: [/certs]`, not mounted' },
  FilesPathEmpty: { spec: files('/certs/'), words: '`files: [/certs/]`, empty', path: 'empty folder' },
  FilesPathLinkToFolder: {
    spec: files('/certs'),
    words: '`files: [/certs]`, a link to a folder',
    path: 'link to a folder',
  },
  TrustStoreEmpty: {
    spec: goodSpec({ verifiers: [notation({ certificates: [{ type: 'ca', inline: {} }] })] }),
    words: '`certificates: [{type: ca, inline: {}}]`',
  },
  CosignKeysMissing: {
    spec: goodSpec({ verifiers: [cosign({ keys: { inline: {} } })] }),
    words: '`keys: {inline: {}}`',
  },
  PolicyVerifierUnknown: {
    spec: goodSpec({ policyEnforcer: policy({ rules: [{ verifierName: 'notation2' }] }) }),
    words: '`rules: [{verifierName: notation2}]`',
  },
  IdentityPrefixUnknown: {
    spec: goodSpec({ verifiers: [notation({ trustedIdentities: ['did:web:example'] })] }),
    words: "`trustedIdentities: ['did:web:example']`",
  },
  ScopeNeverMatches: {
    spec: goodSpec({ scopes: ['registry.example/app:'] }),
    words: "`scopes: ['registry.example/app:']`",
  },
  CertificateNotYetValid: { spec: inline('root-notyet.pem'), words: 'a CA whose time begins later' },
  KeyVaultNotAsked: {
    spec: goodSpec({ verifiers: [notation({ certificates: [VAULT] })] }),
    words: '`--ask-key-vault=false`',
  },
  SigstoreRootNotAsked: {
    spec: goodSpec({ verifiers: [cosign({ certificateIdentity: 'a', certificateOIDCIssuer: 'b' })] }),
    words: '`--ask-sigstore-root=false`',
  },
  FieldIgnored: {
    spec: goodSpec({ verifiers: [cosign({ keys: KEYS, ignoreTlogs: true })] }),
    words: '`ignoreTlogs: true`',
  },
  ScopeUnusual: {
    spec: goodSpec({ scopes: ['a.example,b.example'] }),
    words: "`scopes: ['a.example,b.example']`",
  },
  FieldTwice: {
    spec: goodSpec({ stores: [store({ userAgent: 'a', useragent: 'b' })] }),
    words: '`userAgent: a` and `useragent: b`',
  },
  ThresholdFraction: {
    spec: goodSpec({ policyEnforcer: policy({ threshold: 1.9, rules: [{ verifierName: 'n1' }] }) }),
    words: '`threshold: 1.9`',
  },
  VerifierNameDuplicate: {
    spec: goodSpec({ verifiers: [notation({}), notation({})] }),
    words: 'two verifiers named `n1`',
  },
  FieldNameCase: { spec: goodSpec({ stores: [store({ plainHTTP: true })] }), words: '`plainHTTP: true`' },
};

function inline(file: string): object {
  return goodSpec({ verifiers: [notation({ certificates: [{ inline: { certs: fixture(file) } }] })] });
}

function files(path: string): object {
  return goodSpec({ verifiers: [notation({ certificates: [{ files: [path] }] })] });
}

function policy(rule: object): object {
  return { type: 'threshold-policy', parameters: { policy: rule } };
}
