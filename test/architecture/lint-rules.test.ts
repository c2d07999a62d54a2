import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT, runCommand } from '../../scripts/check/run-command.ts';

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n');

/** Code that must not pass, by what is wrong with it, and the rule that refuses it. */
const FAULTS: Record<string, { rule: string; code: string }> = {
  'C4 a write whose outcome nobody awaits': {
    rule: 'no-floating-promises',
    code: 'export function a(write: () => Promise<void>): void {\n  write();\n}',
  },
  'C4 a write whose outcome is thrown away': {
    rule: 'no-floating-promises',
    code: 'export function a(write: () => Promise<void>): void {\n  void write();\n}',
  },
  'C4 a write that is started where nobody takes a promise': {
    rule: 'no-misused-promises',
    code: 'export function a(all: string[], write: (one: string) => Promise<void>): void {\n  all.forEach(async (one) => {\n    await write(one);\n  });\n}',
  },
  'an any': { rule: 'no-explicit-any', code: 'export const a = (value: any): unknown => value;' },
  'a claim that something is there': {
    rule: 'no-non-null-assertion',
    code: 'export const a = (value: string | undefined): string => value!;',
  },
  'a text that is thrown': {
    rule: 'only-throw-error',
    code: "export function a(): never {\n  throw 'no';\n}",
  },
  'a switch that forgets a member': {
    rule: 'switch-exhaustiveness-check',
    code: "export function a(kind: 'x' | 'y'): number {\n  switch (kind) {\n    case 'x':\n      return 1;\n  }\n  return 2;\n}",
  },
  'four parameters': {
    rule: 'max-params',
    code: 'export const a = (b: number, c: number, d: number, e: number): number => b + c + d + e;',
  },
  'four levels of blocks': {
    rule: 'max-depth',
    code: 'export function a(b: boolean): number {\n  if (b) {\n    if (!b) {\n      for (;;) {\n        if (b) return 1;\n      }\n    }\n  }\n  return 2;\n}',
  },
  'eleven branches': {
    rule: 'complexity',
    code: `export function a(b: number): number {\n${lines(10, (at) => `  if (b === ${at}) return ${at};`)}\n  return b;\n}`,
  },
  'a function of 41 lines': {
    rule: 'max-lines-per-function',
    code: `export function a(b: number[]): void {\n${lines(39, (at) => `  b.push(${at});`)}\n}`,
  },
  'a file of 151 lines': { rule: 'max-lines', code: lines(151, (at) => `export const a${at} = ${at};`) },
  'a message to the console': { rule: 'no-console', code: "console.log('a');\nexport {};" },
};

describe('the linter', () => {
  let found: readonly { readonly code: string; readonly filename: string }[];

  before(async function () {
    this.timeout(60_000);
    const folder = await mkdtemp(join(tmpdir(), 'lint-'));
    try {
      // As in an app, whose rules are the strictest.
      const src = join(folder, 'apps', 'x', 'src');
      await mkdir(src, { recursive: true });
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
      for (const [at, { code }] of Object.values(FAULTS).entries())
        await writeFile(join(src, `${at}.ts`), `${code}\n`);
      // A copy, because its paths are relative to where it stands.
      const config = join(folder, '.oxlintrc.json');
      await copyFile(join(ROOT, '.oxlintrc.json'), config);
      const { output } = await runCommand('oxlint', ['-c', config, '--type-aware', '-f', 'json', folder]);
      found = JSON.parse(output).diagnostics;
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  for (const [at, [name, { rule }]] of Object.entries(FAULTS).entries()) {
    it(`refuses ${name}`, () => {
      const codes = found.filter(({ filename }) => filename.endsWith(`/${at}.ts`)).map(({ code }) => code);
      expect(
        codes.some((code) => code.endsWith(`(${rule})`)),
        codes.join(', '),
      ).to.equal(true);
    });
  }

  it('holds the whole project to these rules, with exceptions that name their reason', async () => {
    const { output } = await runCommand('git', [
      'grep',
      '-nE',
      'oxlint-disable',
      '--',
      '*.ts',
      ':!test/architecture',
    ]);
    const silent = output
      .split('\n')
      .filter((line) => line !== '' && !/oxlint-disable[a-z-]* \S+ -- \S+/.test(line));
    expect(silent).to.deep.equal([]);
  });
});

const TSCONFIG = {
  compilerOptions: { strict: true, target: 'es2024', module: 'nodenext', noUncheckedIndexedAccess: true },
};
