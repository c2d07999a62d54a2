/** One setting, as JSON Schema with a few words of our own. Its key is camel case; flag and variable follow from it. */
export type Setting = TextSetting | NumberSetting | SwitchSetting | ListSetting;

interface Described {
  /** One sentence for `--help` and the docs. */
  readonly description: string;
  /** The environment variable, where it is not the prefix and the key in upper case: `POD_NAME`. */
  readonly 'x-env'?: string;
  /** The value is shown nowhere: not by `--print-config`, not in an error. */
  readonly 'x-secret'?: true;
}

/** A text, or with `format: 'duration'` a time span such as `500ms`, `60s` or `1h30m`. */
export interface TextSetting extends Described {
  readonly type: 'string';
  readonly default?: string;
  readonly format?: 'duration';
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  /** The shortest and longest span that is taken, themselves written as durations. */
  readonly 'x-min'?: string;
  readonly 'x-max'?: string;
}

export interface NumberSetting extends Described {
  readonly type: 'integer' | 'number';
  readonly default?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** On or off: `--key`, `--key=true`, `--key=false`. */
export interface SwitchSetting extends Described {
  readonly type: 'boolean';
  readonly default: boolean;
}

/** Texts: with commas between them in a flag or variable, and the flag may come more than once; a list in a file. */
export interface ListSetting extends Described {
  readonly type: 'array';
  readonly items: { readonly type: 'string'; readonly enum?: readonly string[]; readonly pattern?: string };
  readonly default?: readonly string[];
  readonly minItems?: number;
}

export type Settings = Readonly<Record<string, Setting>>;

/** The whole configuration of a program: a JSON Schema that refuses unknown keys. Made by `configSchema`. */
export interface ConfigSchema<P extends Settings = Settings, R extends string = string> {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly properties: P;
  readonly required: readonly R[];
}

/**
 * The values that a schema gives. A duration `grace` becomes the number `graceMs`; a setting that has no default and is
 * not required may be `undefined`; every other keeps its key.
 */
export type ConfigOf<S> =
  S extends ConfigSchema<infer P, infer R>
    ? { readonly [K in keyof P & string as ValueKey<K, P[K]>]: ValueOf<P[K]> | Absent<K, P[K], R> }
    : never;

type ValueKey<K extends string, P> = P extends { format: 'duration' } ? `${K}Ms` : K;
type Absent<K extends string, P, R extends string> = P extends { default: unknown }
  ? never
  : K extends R
    ? never
    : undefined;
type ValueOf<P> = P extends { enum: readonly (infer V)[] }
  ? V
  : P extends { type: 'integer' | 'number' } | { format: 'duration' }
    ? number
    : P extends { type: 'boolean' }
      ? boolean
      : P extends { type: 'array'; items: infer I }
        ? readonly ValueOf<I>[]
        : string;

/** What every program of this project can be told. */
export const PROCESS_SETTINGS = {
  logLevel: {
    type: 'string',
    enum: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    description: 'The least important lines that are logged.',
  },
  probeHost: {
    type: 'string',
    minLength: 1,
    default: '0.0.0.0',
    description: 'The address on which /livez, /readyz and /metrics are served.',
  },
  probePort: {
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    default: 9810,
    description: 'The port of /livez, /readyz and /metrics; 0 takes a free one and logs it.',
  },
  shutdownTimeout: {
    type: 'string',
    format: 'duration',
    default: '8s',
    'x-min': '100ms',
    'x-max': '10m',
    description: 'How long a stop may take before the process ends all the same, with exit code 1.',
  },
} as const satisfies Settings;

/**
 * Settings of a program that must not exit on a misconfiguration: a schema with them makes `runApp` park instead, unless
 * `exitOnMisconfiguration` is on.
 */
export const PARKING_SETTINGS = {
  exitOnMisconfiguration: {
    type: 'boolean',
    default: false,
    description: 'Exit with code 78 on a misconfiguration, instead of waiting for its end without a write.',
  },
  parkRetry: {
    type: 'string',
    format: 'duration',
    default: '30s',
    'x-min': '10ms',
    'x-max': '1h',
    description: 'How often a parked process looks whether it may start.',
  },
} as const satisfies Settings;

/** The schema of a program: its own settings and those of every program. */
export function configSchema<const P extends Settings, const R extends keyof P & string = never>(
  settings: P,
  required: readonly R[] = [],
): ConfigSchema<P & typeof PROCESS_SETTINGS, R> {
  return {
    type: 'object',
    additionalProperties: false,
    properties: { ...settings, ...PROCESS_SETTINGS },
    required,
  };
}
