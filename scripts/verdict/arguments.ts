import { parseArgs } from 'node:util';

export const VERDICT_USAGE = `npm run -s verdict -- FILE.jsonl[.gz]… [--fixtures DIR] [--sigstore-root reachable|unreachable] [--key-vault URL]

  --fixtures       the folder behind paths that begin with fixtures/ (default: fixtures beside FILE, if it is there)
  --sigstore-root  whether Sigstore's trusted root can be fetched (default: unreachable)
  --key-vault      answers for every vault address that passes the syntax checks; http allowed, no token
                   (default: nothing is sent, and no vault can be reached)`;

/** What the tool is asked to do. */
export interface VerdictOptions {
  readonly files: readonly string[];
  readonly fixtures: string | undefined;
  readonly sigstoreRoot: 'reachable' | 'unreachable';
  readonly keyVault: URL | undefined;
}

/** Reads the command line. Throws an `Error` that says what is wrong with it. */
export function parseVerdictArguments(args: readonly string[]): VerdictOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      fixtures: { type: 'string' },
      'sigstore-root': { type: 'string', default: 'unreachable' },
      'key-vault': { type: 'string' },
    },
  });
  const root = values['sigstore-root'];
  if (root !== 'reachable' && root !== 'unreachable') {
    throw new Error(`--sigstore-root is reachable or unreachable, not ${root}`);
  }
  if (positionals.length === 0) throw new Error('no FILE given');
  return {
    files: positionals,
    fixtures: values.fixtures,
    sigstoreRoot: root,
    keyVault: vaultUrl(values['key-vault']),
  };
}

function vaultUrl(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`--key-vault wants an http(s) address, not ${text}`);
  return url;
}
