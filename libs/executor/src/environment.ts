/** A file that Ratify's `files` provider would read. */
export interface FoundFile {
  /** The path as it was reached, for messages. */
  readonly path: string;
  /** What is behind all links; one content is read once per path of the spec. */
  readonly realPath: string;
}

/** What a walk over one path of the spec found. */
export interface Walk {
  /** In the order in which Ratify reads them. */
  readonly files: readonly FoundFile[];
  /** Paths (files and folders, also missing ones) whose change would change the answer. */
  readonly watched: readonly string[];
  /** Why nothing is there, when nothing is: Ratify skips such a path with a log line only. */
  readonly skipped?: 'missing' | 'unreadable' | 'link to a folder' | 'no files';
}

/** One object in a key vault, and the identity that asks for it. */
export interface VaultRequest {
  readonly vaultURL: string;
  readonly clientID: string;
  readonly tenantID: string;
  readonly name: string;
  /** Empty: the newest version. */
  readonly version: string;
}

/** A secret as the vault answers it; what is absent was absent in the answer. */
export interface VaultSecret {
  readonly value?: string;
  readonly contentType?: string;
  /** The version that the vault answered with. */
  readonly version?: string;
}

/** A key as the vault answers it; what is absent was absent in the answer. */
export interface VaultKey {
  readonly jwk?: Readonly<Record<string, unknown>>;
  /** `attributes.enabled` of the answer. */
  readonly enabled?: boolean;
  readonly version?: string;
}

/** Asks a key vault. Rejects with a {@link ProviderError}. */
export interface KeyVault {
  secret(request: VaultRequest, signal: AbortSignal): Promise<VaultSecret>;
  key(request: VaultRequest, signal: AbortSignal): Promise<VaultKey>;
}

/** Fetches the Sigstore trusted root as Ratify does while it builds. Rejects with a {@link ProviderError}. */
export interface SigstoreRoot {
  fetch(signal: AbortSignal): Promise<void>;
}

/** What building looks at beyond the spec; a port, so that a verdict needs no disk and no network in tests. */
export interface Environment {
  /** Walks one path of a `files` provider as Ratify does. Never rejects for a missing or unreadable path. */
  walk(path: string): Promise<Walk>;
  /** The content of a found file. Rejects when it cannot be read. */
  readFile(path: string): Promise<Uint8Array>;
  /** The process environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Absent: no vault is asked, and the outcome carries the warning `KeyVaultNotAsked`. */
  readonly keyVault?: KeyVault;
  /** Absent: the root is not fetched, and the outcome carries the warning `SigstoreRootNotAsked`. */
  readonly sigstoreRoot?: SigstoreRoot;
  now(): Date;
  /** Ends a build early, as a failure that can be retried. */
  readonly signal?: AbortSignal;
  /** How long one build may take, in milliseconds; 60,000 by default. */
  readonly deadlineMs?: number;
}
