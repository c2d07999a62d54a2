import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { hiddenCharacters } from '../../scripts/check/hidden-characters.ts';
import { oldGroupMentions } from '../../scripts/check/old-group-mentions.ts';
import { type ProjectFile, projectFiles } from '../../scripts/check/project-files.ts';
import { ROOT } from '../../scripts/check/run-command.ts';
import { type Import, importsOf, withoutComments } from './imports-of.ts';

/** What a package may import beside its own files: the table of the design, section 4. */
interface Allowed {
  readonly eager: readonly RegExp[];
  /** Only with `import()`, so that nobody pays who does not use it. Types are free. */
  readonly lazy?: readonly RegExp[];
}

const NODE = /^node:(?!process$)/;
const LIBS = /^@executor-status\/(?:api|executor|controller|kube|process)$/;

const PACKAGES: Record<string, Allowed> = {
  'libs/api': { eager: [/^node:crypto$/] },
  'libs/executor': {
    eager: [/^@executor-status\/api$/, /^ajv$/, NODE],
    lazy: [/^re2js$/, /^node-forge$/, /^@azure\//, /^@sigstore\/tuf$/],
  },
  'libs/controller': { eager: [/^rxjs$/] },
  'libs/kube': {
    eager: [/^@executor-status\/(?:api|controller)$/, /^rxjs$/, /^undici$/, NODE],
    lazy: [/^@kubernetes\/client-node$/],
  },
  'libs/process': {
    eager: [/^@executor-status\/api$/, /^rxjs$/, /^ajv$/, /^pino$/, /^prom-client$/, /^yaml$/, /^node:/],
  },
  'apps/executor-writer': { eager: [LIBS, /^rxjs$/, NODE] },
  'apps/status-aggregator': { eager: [LIBS, /^rxjs$/, NODE] },
};

describe('the architecture', () => {
  let files: readonly ProjectFile[];
  before(async () => {
    files = await projectFiles();
  });
  const sources = (folder: string) =>
    files.filter(({ path }) => path.startsWith(`${folder}/`) && path.endsWith('.ts'));
  /** What runs in a cluster. */
  const product = () => [...sources('libs'), ...sources('apps')].filter(({ path }) => !isTest(path));

  it('has a row for every package', () => {
    const found = product().map(({ path }) => path.split('/', 2).join('/'));
    expect([...new Set(found)].filter((name) => !Object.hasOwn(PACKAGES, name))).to.deep.equal([]);
  });

  for (const [folder, allowed] of Object.entries(PACKAGES)) {
    it(`lets ${folder} import only what the design allows`, () => {
      const wrong = sources(folder)
        .filter(({ path }) => !isTest(path))
        .flatMap((file) => wrongImports(file, folder, allowed));
      expect(wrong).to.deep.equal([]);
    });

    it(`lets ${folder} import only packages that it declares`, () => {
      const declared = declaredPackages(folder);
      const wrong = sources(folder)
        .filter(({ path }) => !isTest(path))
        .flatMap(({ path, text }) =>
          importsOf(text)
            .map(({ from }) => packageName(from))
            .filter((name) => name !== undefined && !declared.has(name))
            .map((name) => `${path}: ${name}`),
        );
      expect(wrong).to.deep.equal([]);
    });
  }

  it('lets scripts import libraries and test support, but no app and no test', () => {
    const wrong = sources('scripts').flatMap(({ path, text }) =>
      importsOf(text)
        .map(({ from }) => (from.startsWith('.') ? normalize(join(dirname(path), from)) : from))
        .filter((to) => /^(?:apps|libs)\//.test(to) || /^test\/(?!support\/)/.test(to) || isApp(to))
        .map((to) => `${path}: ${to}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('subscribes in main.ts only', () => {
    expect(matches(outside(product(), /\/main\.ts$/), /\.subscribe\(/)).to.deep.equal([]);
  });

  it('touches the process in main.ts and libs/process only', () => {
    const elsewhere = outside(product(), /\/main\.ts$|^libs\/process\//);
    expect(matches(elsewhere, /(?<![\w./'"`-])process\.\w/)).to.deep.equal([]);
    expect(matches(elsewhere, /['"](?:node:)?process['"]/)).to.deep.equal([]);
  });

  it('has a main.ts of at most 40 lines in every app', () => {
    const mains = sources('apps').filter(({ path }) => path.endsWith('/src/main.ts'));
    const long = mains.filter(({ text }) => text.trimEnd().split('\n').length > 40);
    expect(long.map(({ path }) => path)).to.deep.equal([]);
  });

  it('names files in kebab case, for what they hold', () => {
    const all = [...sources('libs'), ...sources('apps'), ...sources('scripts'), ...sources('test')];
    const names = all.map(({ path }) => path).filter((path) => !KEBAB.test(path) || BANNED.test(path));
    expect(names).to.deep.equal([]);
  });

  it('PR10 has no bidirectional, zero-width or other hidden character in any file', () => {
    expect(files.length).to.be.greaterThan(100);
    expect(hiddenCharacters(files)).to.deep.equal([]);
  });

  it('V9 names the old API group only where clusters from before 2026 are served', () => {
    expect(oldGroupMentions(files)).to.deep.equal([]);
  });
});

const KEBAB = /\/[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9-]+)*\.ts$/;
/** A file of such a name holds whatever nobody found a place for. */
const BANNED =
  /[/-](?:utils?|helpers?|types|common|managers?|handlers?|services?|data|infos?|items?|misc)(?=[-.])/;

function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || /^(?:libs|apps)\/[^/]+\/test\//.test(path);
}

function isApp(from: string): boolean {
  return /^@executor-status\/(?:executor-writer|status-aggregator)/.test(from);
}

function wrongImports({ path, text }: ProjectFile, folder: string, allowed: Allowed): string[] {
  return importsOf(text)
    .filter((one) => !isAllowed(one, { path, folder, allowed }))
    .map(({ from, kind }) => `${path}: ${kind} import of ${from}`);
}

interface Place {
  readonly path: string;
  readonly folder: string;
  readonly allowed: Allowed;
}

function isAllowed({ from, kind }: Import, { path, folder, allowed }: Place): boolean {
  if (from.startsWith('.')) {
    const to = normalize(join(dirname(path), from));
    return to.startsWith(`${folder}/src/`) || to === `${folder}/package.json`;
  }
  const patterns = kind === 'eager' ? allowed.eager : [...allowed.eager, ...(allowed.lazy ?? [])];
  return patterns.some((pattern) => pattern.test(from));
}

/** The npm package of an import; `undefined` for files, for Node.js itself and for packages of this project. */
function packageName(from: string): string | undefined {
  if (/^(?:\.|node:|@executor-status\/)/.test(from)) return undefined;
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}

function declaredPackages(folder: string): ReadonlySet<string> {
  const manifest: { readonly dependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
  );
  return new Set(Object.keys(manifest.dependencies ?? {}));
}

function outside(files: readonly ProjectFile[], path: RegExp): ProjectFile[] {
  return files.filter((file) => !path.test(file.path));
}

function matches(files: readonly ProjectFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, text }) =>
    withoutComments(text)
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
}
