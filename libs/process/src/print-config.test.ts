import { expect } from 'chai';
import { parse } from 'yaml';
import { configSchema } from './config-schema.ts';
import { effectiveSettings } from './effective-settings.ts';
import { printConfig } from './print-config.ts';

const SCHEMA = configSchema({
  grace: { type: 'string', format: 'duration', default: '60s', description: 'Grace.' },
  names: { type: 'array', items: { type: 'string' }, default: [], description: 'Names.' },
  password: { type: 'string', 'x-secret': true, description: 'A secret.' },
  other: { type: 'string', description: 'Another.' },
});

describe('printConfig', () => {
  const input = (argv: string[], file = '') => ({
    argv,
    env: { EXECUTOR_STATUS_PASSWORD: 'hunter2' },
    readFile: () => file,
  });

  it('CF-1 prints the effective value of each setting and where it came from', () => {
    const lines = printConfig(SCHEMA, effectiveSettings(SCHEMA, input(['--names=a,b']))).split('\n');
    expect(lines).to.include('grace: "60s" # default');
    expect(lines).to.include('names: ["a","b"] # flag --names');
    expect(lines).to.include('# other: not set');
  });

  it('CF-1 hides a secret, but says where it came from', () => {
    const text = printConfig(SCHEMA, effectiveSettings(SCHEMA, input([])));
    expect(text).to.include('# password: [hidden] # variable EXECUTOR_STATUS_PASSWORD');
    expect(text).not.to.include('hunter2');
  });

  it('CF-1 prints what --config takes, with the same effect', () => {
    const settings = effectiveSettings(SCHEMA, input(['--names=x: #y,z', '--other=no', '--grace=1s']));
    const printed = printConfig(SCHEMA, settings);
    const again = effectiveSettings(SCHEMA, input(['--config=/c'], printed));
    for (const [key, { value }] of settings) expect(again.get(key)?.value, key).to.deep.equal(value);
    expect(parse(printed)).to.include({ other: 'no' });
  });
});
