import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The `exec` part of a kubeconfig user. */
export interface ExecConfig {
  readonly command: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly apiVersion?: string;
  readonly provideClusterInfo?: boolean;
}

/** What a plugin answers with. */
export interface ExecCredential {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  readonly expirationTimestamp?: string;
}

/** What {@link ExecPlugin} needs. */
export interface ExecPluginOptions {
  readonly config: ExecConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the plugin is told about the cluster, if it asks for it. */
  readonly cluster: Readonly<Record<string, unknown>>;
  /** The wall clock in milliseconds, against which the plugin's expiry is read. */
  readonly wallMs: () => number;
}

/**
 * A program that hands out credentials. It runs once for any number of callers that wait, again a minute before its
 * answer expires, and again after {@link drop}.
 */
export class ExecPlugin {
  readonly #options: ExecPluginOptions;
  #answer: Promise<ExecCredential> | undefined;
  /** What the program has answered; `undefined` while it runs. */
  #current: ExecCredential | undefined;
  #goodUntilMs = Number.POSITIVE_INFINITY;

  constructor(options: ExecPluginOptions) {
    this.#options = options;
  }

  /** @throws {Error} if the program fails, or does not print an ExecCredential. Its output is never shown. */
  get(): Promise<ExecCredential> {
    if (this.#options.wallMs() >= this.#goodUntilMs) this.#forget();
    this.#answer ??= this.#run();
    return this.#answer;
  }

  /** Forgets the answer if it is `refused`, which the server did not accept: not one that has come, or is coming, after it. */
  drop(refused: ExecCredential | undefined): void {
    if (refused !== undefined && refused === this.#current) this.#forget();
  }

  #forget(): void {
    this.#answer = undefined;
    this.#current = undefined;
    this.#goodUntilMs = Number.POSITIVE_INFINITY;
  }

  async #run(): Promise<ExecCredential> {
    try {
      const credential = await runPlugin(this.#options);
      const expires = Date.parse(credential.expirationTimestamp ?? '');
      if (!Number.isNaN(expires)) this.#goodUntilMs = expires - EARLY_MS;
      this.#current = credential;
      return credential;
    } catch (error) {
      this.#forget();
      throw error;
    }
  }
}

// Long enough for a request that is being sent, short beside the life of any token.
const EARLY_MS = 60_000;
const RUN_TIMEOUT_MS = 60_000;

async function runPlugin({ config, env, cluster }: ExecPluginOptions): Promise<ExecCredential> {
  const apiVersion = config.apiVersion ?? 'client.authentication.k8s.io/v1';
  const spec = { interactive: false, ...(config.provideClusterInfo === true && { cluster }) };
  const told = { apiVersion, kind: 'ExecCredential', spec };
  const extra = Object.fromEntries((config.env ?? []).map(({ name, value }) => [name, value]));
  const { stdout } = await promisify(execFile)(config.command, [...(config.args ?? [])], {
    env: { ...env, ...extra, KUBERNETES_EXEC_INFO: JSON.stringify(told) },
    timeout: RUN_TIMEOUT_MS,
  }).catch((error: unknown) => {
    // Without its cause: that carries what the program printed.
    throw new Error(`the credential plugin ${config.command} failed (${exitOf(error)})`);
  });
  return credentialIn(stdout, config.command);
}

function exitOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' || typeof code === 'string' ? `${code}` : 'no exit code';
}

function credentialIn(stdout: string, command: string): ExecCredential {
  let answer: { readonly status?: ExecCredential } | undefined;
  try {
    answer = JSON.parse(stdout) as typeof answer;
  } catch {
    // Told below, without what was printed.
  }
  const status = answer?.status;
  if (!status?.token && !status?.clientCertificateData) {
    throw new Error(
      `the credential plugin ${command} printed no ExecCredential with a token or a certificate`,
    );
  }
  return status;
}
