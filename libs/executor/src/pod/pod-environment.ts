import type { Environment, KeyVault, SigstoreRoot } from '../environment.ts';
import { readCertificateFile } from './read-certificate-file.ts';
import { walk } from './walk.ts';
import { walkBelow } from './walk-below.ts';

/** What the environment of a pod is made of. */
export interface PodEnvironmentOptions {
  /** The process environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where the file system begins that the paths of a spec mean; `/` by default. */
  readonly filesRoot?: string;
  /** Asked for `azurekeyvault` providers; absent: not asked, with a warning. */
  readonly keyVault?: KeyVault;
  /** Fetched for keyless trust policies; absent: not fetched, with a warning. */
  readonly sigstoreRoot?: SigstoreRoot;
  /** The clock; the system's by default. */
  readonly now?: () => Date;
  readonly signal?: AbortSignal;
  /** How long one build may take, in milliseconds; 60,000 by default. */
  readonly deadlineMs?: number;
}

/** The real environment of a pod: its disk, its variables, and the providers that a setting allows to ask. */
export function podEnvironment(options: PodEnvironmentOptions): Environment {
  const { now = () => new Date(), filesRoot = '/', ...rest } = options;
  return {
    walk: filesRoot === '/' ? walk : walkBelow(filesRoot),
    readFile: readCertificateFile,
    now,
    ...rest,
  };
}
