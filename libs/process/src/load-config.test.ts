import { expect } from 'chai';
import { ConfigError } from './config-error.ts';
import { configSchema } from './config-schema.ts';
import { loadConfig } from './load-config.ts';
import { MisconfigurationError } from './misconfiguration-error.ts';

const SCHEMA = configSchema(
  {
    grace: { type: 'string', format: 'duration', default: '60s', 'x-max': '1h', description: 'Grace.' },
    podName: { type: 'string', minLength: 1, 'x-env': 'POD_NAME', description: 'The pod.' },
    maxEntries: { type: 'integer', minimum: 1, maximum: 256, default: 100, description: 'Entries.' },
    ratio: { type: 'number', minimum: 0, default: 0.5, description: 'A ratio.' },
    detail: { type: 'string', enum: ['full', 'failing'], default: 'full', description: 'How much.' },
    strict: { type: 'boolean', default: false, description: 'Strict or not.' },
    podNamespaces: {
      type: 'array',
      items: { type: 'string', pattern: '^[a-z-]+$' },
      default: ['default'],
      description: 'Where.',
    },
    vaultToken: { type: 'string', pattern: '^ok', 'x-secret': true, description: 'A secret.' },
  },
  ['podName'],
);

describe('loadConfig', () => {
  const env = { POD_NAME: 'ratify-0' };

  it('CF-1 gives every default, a required value from its variable, and nothing for what is optional', () => {
    expect(load({ env })).to.deep.equal({
      graceMs: 60_000,
      podName: 'ratify-0',
      maxEntries: 100,
      ratio: 0.5,
      detail: 'full',
      strict: false,
      podNamespaces: ['default'],
      vaultToken: undefined,
      logLevel: 'info',
      probeHost: '0.0.0.0',
      probePort: 9810,
      shutdownTimeoutMs: 8000,
    });
  });

  it('CF-1 takes the flag before the variable, that before the file, that before the default', () => {
    const file = 'grace: 3s\nmaxEntries: 3\ndetail: failing\n';
    const variables = { ...env, EXECUTOR_STATUS_GRACE: '2s', EXECUTOR_STATUS_MAX_ENTRIES: '2' };
    const config = load({
      argv: ['--grace', '1s', '--config', '/c.yaml'],
      env: variables,
      files: { '/c.yaml': file },
    });
    expect(config).to.include({ graceMs: 1000, maxEntries: 2, detail: 'failing', ratio: 0.5 });
  });

  const given = [true, false].flatMap((flag) =>
    [true, false].flatMap((variable) => [true, false].map((file) => ({ flag, variable, file }))),
  );
  for (const { flag, variable, file } of given) {
    const want = flag ? 11 : variable ? 12 : file ? 13 : 100;
    it(`CF-1 takes ${want} with flag ${flag}, variable ${variable}, file ${file}`, () => {
      const config = load({
        argv: ['--config=/c', ...(flag ? ['--max-entries=11'] : [])],
        env: { ...env, ...(variable ? { EXECUTOR_STATUS_MAX_ENTRIES: '12' } : {}) },
        files: { '/c': file ? '{"maxEntries": 13}' : '' },
      });
      expect(config.maxEntries).to.equal(want);
    });
  }

  const read: Record<string, { argv?: string[]; env?: Record<string, string>; file?: string; want: object }> =
    {
      'a flag with its value behind an equals sign': {
        argv: ['--detail=failing'],
        want: { detail: 'failing' },
      },
      'a bare switch as on': { argv: ['--strict'], want: { strict: true } },
      'a switch that is turned off': { argv: ['--strict=false'], want: { strict: false } },
      'the last of a flag that comes twice': { argv: ['--ratio=1', '--ratio=2.5'], want: { ratio: 2.5 } },
      'a list with commas, in several flags': {
        argv: ['--pod-namespaces', 'a,b', '--pod-namespaces', ' c ,'],
        want: { podNamespaces: ['a', 'b', 'c'] },
      },
      'a list from a variable': {
        env: { EXECUTOR_STATUS_POD_NAMESPACES: 'x,y' },
        want: { podNamespaces: ['x', 'y'] },
      },
      'a list from a file': { file: 'podNamespaces: [x, y]', want: { podNamespaces: ['x', 'y'] } },
      'an empty variable as absent': { env: { EXECUTOR_STATUS_GRACE: '' }, want: { graceMs: 60_000 } },
      'a switch from a variable': { env: { EXECUTOR_STATUS_STRICT: 'true' }, want: { strict: true } },
      'a file named by a variable': {
        env: { EXECUTOR_STATUS_CONFIG: '/c.yaml' },
        file: 'maxEntries: 7',
        want: { maxEntries: 7 },
      },
      'JSON as a file': {
        file: '{"grace": "1h", "strict": true}',
        want: { graceMs: 3_600_000, strict: true },
      },
      'a value that begins with a dash': {
        argv: ['--vault-token=ok', '--pod-name=-x'],
        want: { podName: '-x' },
      },
      'no variable that no setting names': {
        env: { EXECUTOR_STATUS_NO_SUCH: '1', DETAIL: 'x' },
        want: { detail: 'full' },
      },
    };
  for (const [name, tc] of Object.entries(read)) {
    it(`CF-1 reads ${name}`, () => {
      const argv = [...(tc.argv ?? []), ...(tc.file === undefined || tc.env ? [] : ['--config', '/c.yaml'])];
      const files = tc.file === undefined ? {} : { '/c.yaml': tc.file };
      expect(load({ argv, env: { ...env, ...tc.env }, files })).to.deep.include(tc.want);
    });
  }

  const refused: Record<
    string,
    { argv?: string[]; env?: Record<string, string>; file?: string; says: string[]; not?: string }
  > = {
    'an unknown flag, with all that are known': {
      argv: ['--gracee', '5s'],
      says: ['unknown flag --gracee', '--grace,', '--config', '--print-config'],
      not: '5s',
    },
    'a word that belongs to no flag': { argv: ['--strict', 'yes'], says: ['unexpected argument "yes"'] },
    'an unknown key of the file, with all that are known': {
      file: 'gracee: 5s',
      says: ['file /c.yaml', 'unknown key "gracee"', 'grace,', 'maxEntries'],
    },
    'a number out of its range': {
      argv: ['--max-entries', '257'],
      says: ['flag --max-entries', 'maxEntries must be a whole number from 1 to 256, not 257'],
    },
    'a number that is none': {
      env: { EXECUTOR_STATUS_MAX_ENTRIES: 'many' },
      says: ['variable EXECUTOR_STATUS_MAX_ENTRIES', 'a whole number from 1 to 256, not "many"'],
    },
    'a word that is not of the list': {
      file: 'detail: all',
      says: ['file /c.yaml', 'detail must be one of full, failing, not "all"'],
    },
    'a duration without a unit': {
      argv: ['--grace=60'],
      says: ['grace must be a duration such as', 'not "60"'],
    },
    'a duration as a bare number in a file': {
      file: 'grace: 60',
      says: ['grace must be a duration', 'not 60'],
    },
    'a duration that is too long': { argv: ['--grace=2h'], says: ['of at most 1h, not "2h"'] },
    'a switch that is neither on nor off': {
      argv: ['--strict=maybe'],
      says: ['strict must be true or false'],
    },
    'a list with a wrong member': {
      argv: ['--pod-namespaces=a,B'],
      says: ['podNamespaces must be a list', '^[a-z-]+$'],
    },
    'a flag without its value': { argv: ['--grace'], says: ['flag --grace: needs a value'] },
    'a flag that is followed by another': {
      argv: ['--grace', '--strict'],
      says: ['flag --grace: needs a value'],
    },
    'a file that is not there': {
      argv: ['--config', '/none'],
      says: ['file /none: cannot be read: no file /none'],
    },
    'a file that is not YAML': { file: 'a: [', says: ['file /c.yaml: cannot be read:'] },
    'a file that is no map': { file: '- a', says: ['file /c.yaml: must be a map of settings'] },
    'a key that stands twice in the file': {
      file: 'ratio: 1\nratio: 2',
      says: ['cannot be read: Map keys must be unique'],
    },
    'an empty value where one is needed': {
      env: { POD_NAME: '' },
      says: ['podName is required: set --pod-name or POD_NAME'],
    },
    'a wrong secret, without showing it': {
      argv: ['--vault-token=hunter2'],
      says: ['flag --vault-token', 'vaultToken must be text like `^ok`, not the secret value'],
      not: 'hunter2',
    },
    'a file with a secret in a line that is not YAML, without showing it': {
      file: 'vaultToken: "hunter2\nratio: ]',
      says: ['cannot be read'],
      not: 'hunter2',
    },
  };
  for (const [name, tc] of Object.entries(refused)) {
    it(`CF-1 refuses ${name}`, () => {
      const argv = [...(tc.argv ?? []), ...(tc.file === undefined ? [] : ['--config', '/c.yaml'])];
      const error = failure({ argv, env: { ...env, ...tc.env }, files: { '/c.yaml': tc.file ?? '' } });
      for (const part of tc.says) expect(error.message).to.include(part);
      expect(error.message).not.to.include('\n');
      if (tc.not !== undefined) expect(error.message).not.to.include(tc.not);
    });
  }

  it('CF-1 names all faults at once, each one time, and is a misconfiguration', () => {
    const error = failure({ argv: ['--grace=x', '--max-entries=0', '--nope=1'] });
    expect(error.problems.map(({ key }) => key)).to.have.members([
      '--nope',
      'podName',
      'grace',
      'maxEntries',
    ]);
    expect(error).to.be.instanceOf(MisconfigurationError);
  });

  it('CF-1 says what of a bad configuration can be used all the same', () => {
    const { usable } = failure({ argv: ['--grace=x', '--max-entries=7', '--probe-port=1234'], env });
    const values = Object.fromEntries([...usable].map(([key, { value }]) => [key, value]));
    expect(values).to.include({ grace: '60s', maxEntries: 7, probePort: 1234, podName: 'ratify-0' });
  });
});

interface Sources {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

function load({ argv = [], env = {}, files = {} }: Sources) {
  const readFile = (path: string) => {
    const content = files[path];
    if (content === undefined) throw new Error(`no file ${path}`);
    return content;
  };
  return loadConfig({ schema: SCHEMA, argv, env, readFile });
}

function failure(sources: Sources): ConfigError {
  try {
    load(sources);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
