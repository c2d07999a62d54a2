import { parseArgs } from 'node:util';
import type { ConfigProblem } from './config-error.ts';
import type { ConfigSchema } from './config-schema.ts';
import { flagName } from './setting-names.ts';

/** What a command line says. */
export interface Flags {
  /** The texts given for each setting, in order; a bare switch gives `true`. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** The file named by `--config`. */
  readonly configFile: string | undefined;
  /** Something to print instead of running. */
  readonly show: Show | undefined;
  readonly problems: readonly ConfigProblem[];
}

export type Show = 'help' | 'version' | 'config';

/** The flags that every program has beside its settings, and what they do. */
export const BUILT_IN_FLAGS = {
  '--config FILE': 'Read settings from this YAML or JSON file.',
  '--print-config': 'Print the effective settings and where each came from, without secrets, and exit.',
  '--help': 'Print this and exit.',
  '--version': 'Print the version and exit.',
} as const;

/** Reads `--key value`, `--key=value` and, for a switch, `--key`. `argv` begins after the program's name. */
export function parseFlags(schema: ConfigSchema, argv: readonly string[]): Flags {
  const keys = new Map(Object.keys(schema.properties).map((key) => [flagName(key), key]));
  const texts = new Map<string, string[]>();
  const problems: ConfigProblem[] = [];
  let configFile: string | undefined;
  let show: Show | undefined;
  for (const { flag, value } of tokens(schema, argv)) {
    const key = keys.get(flag);
    if (flag in SHOWS) show ??= SHOWS[flag];
    else if (key === undefined && flag !== '--config') problems.push(unknownFlag(flag, keys));
    else if (value === undefined) {
      problems.push({ key: key ?? 'config', source: `flag ${flag}`, message: 'needs a value' });
    } else if (key === undefined) configFile = value;
    else texts.set(key, [...(texts.get(key) ?? []), value]);
  }
  return { texts, configFile, show, problems };
}

const SHOWS: Readonly<Record<string, Show>> = {
  '--help': 'help',
  '--version': 'version',
  '--print-config': 'config',
};

interface Token {
  readonly flag: string;
  readonly value: string | undefined;
}

function tokens(schema: ConfigSchema, argv: readonly string[]): Token[] {
  const options: Record<string, { type: 'boolean' | 'string' }> = { config: { type: 'string' } };
  for (const show of Object.keys(SHOWS)) options[show.slice(2)] = { type: 'boolean' };
  for (const [key, { type }] of Object.entries(schema.properties)) {
    options[flagName(key).slice(2)] = { type: type === 'boolean' ? 'boolean' : 'string' };
  }
  const parsed = parseArgs({ args: [...argv], options, strict: false, tokens: true });
  const isUnknown = (token: (typeof parsed.tokens)[number] | undefined) =>
    token?.kind === 'option' && options[token.name] === undefined && token.inlineValue !== true;
  // What follows an unknown flag is taken for its value: one mistake, one problem, and the value is shown nowhere.
  const known = parsed.tokens.filter(
    (token, at) => token.kind !== 'positional' || !isUnknown(parsed.tokens[at - 1]),
  );
  return known.map((token): Token => {
    if (token.kind === 'positional') return { flag: token.value, value: undefined };
    if (token.kind === 'option-terminator') return { flag: '--', value: undefined };
    const isSwitch = options[token.name]?.type === 'boolean';
    const value = token.value ?? (isSwitch ? 'true' : undefined);
    // `--grace --other`: the next flag is no value. A value that begins with a dash is written `--grace=-x`.
    const isFlag = token.inlineValue === false && value?.startsWith('-') === true;
    return { flag: token.rawName, value: isFlag ? undefined : value };
  });
}

function unknownFlag(flag: string, keys: ReadonlyMap<string, string>): ConfigProblem {
  const allowed = [...keys.keys(), ...Object.keys(BUILT_IN_FLAGS)].join(', ');
  const what = flag.startsWith('-') ? `unknown flag ${flag}` : `unexpected argument ${JSON.stringify(flag)}`;
  return { key: flag, source: 'command line', message: `${what}; allowed are ${allowed}` };
}
