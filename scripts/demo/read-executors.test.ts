import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DemoUsageError } from './demo-error.ts';
import { parseExecutors, readExecutors } from './read-executors.ts';

const HEAD = 'apiVersion: config.ratify.sh/v2alpha1\nkind: Executor\nmetadata: {name: x}\n';

describe('readExecutors', () => {
  it('reads several documents and skips empty ones', () => {
    const text = `${HEAD}---\n---\n${HEAD.replace('name: x', 'name: y')}`;
    expect(parseExecutors('f.yaml', text).map(({ executor }) => executor.metadata.name)).to.deep.equal([
      'x',
      'y',
    ]);
  });

  it('puts a NamespacedExecutor without a namespace into default, as kubectl does', () => {
    const [found] = parseExecutors('f.yaml', HEAD.replace('kind: Executor', 'kind: NamespacedExecutor'));
    expect(found?.executor.metadata.namespace).to.equal('default');
  });

  const refused: Record<string, { text: string; says: RegExp }> = {
    'text that is not YAML': { text: 'a: [', says: /^f\.yaml is not YAML: .* at line 1/ },
    'an empty file': { text: '', says: /holds no object/ },
    'a scalar': { text: 'hello', says: /no executor/ },
    'another kind': { text: HEAD.replace('kind: Executor', 'kind: Pod'), says: /no executor \(.*, Pod\)/ },
    'another group': {
      text: HEAD.replace('config.ratify.sh', 'example.com'),
      says: /expected config\.ratify\.sh\/v2alpha1/,
    },
    'an executor without a name': {
      text: HEAD.replace('{name: x}', '{}'),
      says: /metadata\.name is missing/,
    },
  };
  for (const [name, { text, says }] of Object.entries(refused)) {
    it(`refuses ${name} in one line that names the file`, () => {
      expect(() => parseExecutors('f.yaml', text)).to.throw(DemoUsageError, says);
    });
  }

  it('refuses an executor that the CRD would refuse, before a cluster is started for it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demo-'));
    const file = join(folder, 'no-stores.yaml');
    await writeFile(file, `${HEAD}spec: {scopes: [a.example], verifiers: [{name: n, type: notation}]}`);
    const error = await readExecutors([file]).catch((thrown: unknown) => thrown);
    await rm(folder, { recursive: true });
    expect(error).to.be.instanceOf(DemoUsageError);
    expect(String(error)).to.match(/no-stores\.yaml: the CRD refuses the spec of Executor x/);
  });

  it('refuses a file that is not there', async () => {
    const error = await readExecutors(['no-such-file.yaml']).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(DemoUsageError);
    expect(String(error)).to.match(/cannot read no-such-file\.yaml: there is no such file/);
  });
});
