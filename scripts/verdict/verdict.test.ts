import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { fixture, goodSpec, notation } from '../../test/support/executor-specs.ts';
import { parseVerdictArguments } from './arguments.ts';
import { fixturesPath } from './fixtures-path.ts';
import { judgeFiles } from './judge-files.ts';

const VECTORS = new URL('../../test/fixtures/vectors/', import.meta.url).pathname;

describe('parseVerdictArguments', () => {
  it('takes files and has defaults', () => {
    expect(parseVerdictArguments(['a.jsonl', 'b.jsonl.gz'])).to.deep.equal({
      files: ['a.jsonl', 'b.jsonl.gz'],
      fixtures: undefined,
      sigstoreRoot: 'unreachable',
      keyVault: undefined,
    });
  });
  it('takes all options', () => {
    const options = parseVerdictArguments([
      '--fixtures',
      'd',
      '--sigstore-root=reachable',
      '--key-vault',
      'http://h:1/x',
      'f',
    ]);
    expect(options).to.deep.include({ fixtures: 'd', sigstoreRoot: 'reachable' });
    expect(options.keyVault?.href).to.equal('http://h:1/x');
  });
  for (const args of [
    [],
    ['--sigstore-root', 'x', 'f'],
    ['--key-vault', 'x', 'f'],
    ['--key-vault', 'ftp://h', 'f'],
    ['--nope', 'f'],
  ]) {
    it(`refuses ${JSON.stringify(args)}`, () => expect(() => parseVerdictArguments(args)).to.throw(Error));
  }
});

describe('fixturesPath', () => {
  const cases: Record<string, { fixtures?: string; path: string; want: string }> = {
    'finds fixtures beside the file': { path: 'fixtures/a/', want: `${VECTORS.slice(0, -1)}/fixtures/a/` },
    'takes the folder itself': {
      fixtures: `${VECTORS}fixtures`,
      path: 'fixtures/../x',
      want: `${VECTORS.slice(0, -1)}/fixtures/../x`,
    },
    'takes the folder that holds it': {
      fixtures: VECTORS,
      path: 'fixtures',
      want: `${VECTORS.slice(0, -1)}/fixtures`,
    },
    'takes the folder under another name': { fixtures: '/other', path: 'fixtures/a', want: '/other/a' },
    'leaves absolute paths alone': { path: '/a', want: '/a' },
    'leaves no path alone': { path: '', want: '' },
  };
  for (const [name, { fixtures, path, want }] of Object.entries(cases)) {
    it(name, () => expect(fixturesPath(fixtures, `${VECTORS}x.jsonl`)(path)).to.equal(want));
  }
});

describe('judgeFiles', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'verdict-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const judge = async (
    lines: readonly unknown[],
    options: Partial<Parameters<typeof judgeFiles>[0]> = {},
  ) => {
    const file = join(folder, 'v.jsonl.gz');
    writeFileSync(
      file,
      gzipSync(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')),
    );
    const printed: string[] = [];
    const all = {
      files: [file],
      fixtures: undefined,
      sigstoreRoot: 'unreachable',
      keyVault: undefined,
      ...options,
    } as const;
    const summary = await judgeFiles(all, (line) => printed.push(line));
    return { verdicts: printed.map((line) => JSON.parse(line)), summary };
  };
  const vector = (name: string, spec: unknown) => ({
    name,
    executors: [{ kind: 'Executor', namespace: '', name: 'a', spec }],
  });

  it('prints one verdict per vector and a summary', async () => {
    const { verdicts, summary } = await judge([
      vector('good', goodSpec()),
      '',
      vector('bad', goodSpec({ stores: [] })),
    ]);
    expect(verdicts[0]).to.deep.equal({
      name: 'good',
      ok: true,
      crdValid: true,
      steps: [{ step: 0, ok: true, crdValid: true }],
    });
    expect(verdicts[1].steps[0]).to.include({
      step: 0,
      ok: false,
      crdValid: false,
      code: 'StoresMissing',
      path: 'spec.stores',
    });
    expect(verdicts[1].steps[0].message).to.match(/^StoresMissing: /);
    expect(summary).to.deep.equal({
      unjudged: 0,
      text: '2 vectors judged: 1 accepted, 1 refused; 0 not judged',
    });
  });

  it('goes on after a line that is no vector, and counts it', async () => {
    const { verdicts, summary } = await judge(['{', '{"name":"x"}', vector('good', goodSpec())]);
    expect(verdicts).to.have.length(1);
    expect(summary.unjudged).to.equal(2);
    expect(summary.text).to.match(/v\.jsonl\.gz:2: a vector has a name and executors/);
  });

  it('names who is to blame when only another executor is bad', async () => {
    const step = (name: string, fields: object) => ({
      kind: 'NamespacedExecutor',
      namespace: 't',
      name,
      ...fields,
    });
    const executors = [
      step('bad', { spec: goodSpec({ scopes: [] }) }),
      step('good', { spec: goodSpec() }),
      step('bad', { op: 'delete' }),
      step('good', { spec: goodSpec() }),
    ];
    const { verdicts } = await judge([{ name: 'set', executors }]);
    expect(verdicts[0].steps.map(({ ok }: { ok: boolean }) => ok)).to.deep.equal([false, false, true, true]);
    expect(verdicts[0].steps[1].blame).to.deep.equal({
      kind: 'NamespacedExecutor',
      namespace: 't',
      name: 'bad',
    });
  });

  it('asks --key-vault in place of every vault', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const good = request.url?.startsWith('/base/secrets/c/') === true;
      response.writeHead(good ? 200 : 404);
      response.end(
        JSON.stringify({ value: fixture('root-p256.pem'), contentType: 'application/x-pem-file' }),
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const keyVault = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`);
    const spec = (name: string) => {
      const azurekeyvault = { vaultURL: 'https://v.example', certificates: [{ name, version: 'v1' }] };
      return goodSpec({ verifiers: [notation({ certificates: [{ azurekeyvault }] })] });
    };
    const { verdicts } = await judge([vector('there', spec('c')), vector('missing', spec('d'))], {
      keyVault,
    });
    server.close();
    expect(verdicts.map(({ ok }) => ok)).to.deep.equal([true, false]);
    expect(verdicts[1].steps[0].code).to.equal('KeyVaultFetchFailed');
    expect(asked[0]).to.equal('/base/secrets/c/v1?api-version=7.6');
  });
});

describe('scripts/verdict.ts', () => {
  const run = (args: readonly string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const script = new URL('../verdict.ts', import.meta.url).pathname;
      execFile(
        process.execPath,
        ['--conditions=source', script, ...args],
        { maxBuffer: 1e8 },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });

  it('judges the recorded vectors and exits with 0', async () => {
    const { code, stdout, stderr } = await run([
      `${VECTORS}executor-verdicts.jsonl`,
      '--sigstore-root',
      'reachable',
    ]);
    expect(code).to.equal(0);
    expect(stderr.trim()).to.equal('695 vectors judged: 251 accepted, 444 refused; 0 not judged');
    const want = readFileSync(`${VECTORS}executor-verdicts.jsonl`)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const got = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(got.map(({ name, ok, crdValid }) => ({ name, ok, crdValid }))).to.deep.equal(
      want.map(({ name, expect: recorded }) => ({
        name,
        ok: (recorded.ifSigstoreRootReachable ?? recorded).ok,
        crdValid: recorded.crdValid,
      })),
    );
  }).timeout(60_000);

  it('explains itself when called wrongly', async () => {
    const { code, stderr } = await run([]);
    expect(code).to.equal(2);
    expect(stderr).to.match(/no FILE given\n\nnpm run -s verdict -- FILE/);
  }).timeout(60_000);
});
