import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPORT_REASONS } from '@executor-status/api';
import { FAULT_CODES, WARNING_CODES } from '@executor-status/executor';
import { expect } from 'chai';
import { projectFiles } from '../../scripts/check/project-files.ts';
import { ROOT } from '../../scripts/check/run-command.ts';
import { readCrd, schemaAt } from './crd-schema.ts';

describe('docs/verdicts.md', () => {
  let page: string;
  before(async () => {
    page = await readFile(join(ROOT, 'docs', 'verdicts.md'), 'utf8');
  });

  /** The rows of a table of the page, each as its cells. */
  const rows = (table: string): string[][] => {
    const [, text = ''] = new RegExp(`<!-- ${table}: .*?-->([^]*)<!-- end of ${table} -->`).exec(page) ?? [];
    const cells = text
      .trim()
      .split('\n')
      .map((line) => line.slice(2, -2).split(' | '));
    return cells.slice(2);
  };
  const words = (table: string) => rows(table).map(([word = '']) => word.replaceAll('`', ''));

  it('WP-9 has the reasons of the code and of the CRD, with the same meaning, and no others', async () => {
    const [version] = (await readCrd('executorpodstatuses.yaml')).spec.versions;
    const { description = '' } = schemaAt(version.schema.openAPIV3Schema, '.status.reason');
    const inCrd = [...description.matchAll(/^- (\w+): (.*)$/gm)].map(([, word, meaning]) => [word, meaning]);
    const inDocs = rows('reasons').map(([word = '', meaning]) => [word.replaceAll('`', ''), meaning]);
    expect(inCrd).to.deep.equal(Object.entries(REPORT_REASONS));
    expect(inDocs).to.deep.equal(Object.entries(REPORT_REASONS));
  });

  it('WP-9 has every warning and every fault of the code, and no others', () => {
    expect(words('warnings')).to.deep.equal(Object.keys(WARNING_CODES));
    expect(words('faults')).to.deep.equal(Object.keys(FAULT_CODES));
  });

  it('has an example and a remedy for every reason and every warning', () => {
    for (const [word = '', ...cells] of [...rows('reasons'), ...rows('warnings')]) {
      const empty = cells.filter((cell) => cell.trim() === '');
      // What builds has no error to show.
      expect(empty, word).to.have.length(word === '`Built`' ? 1 : 0);
    }
  });

  it('S7 says that the status never reflects verify results', () => {
    expect(page).to.include('The status never reflects verify results.');
  });

  it('S7 nothing in the code listens to, asks for or counts verify requests', async () => {
    const product = (await projectFiles()).filter(
      ({ path }) => /^(?:apps|libs)\/.*\.ts$/.test(path) && !/\.test\.ts$|\/test\//.test(path),
    );
    expect(product.length).to.be.greaterThan(100);
    const mentions = product.filter(({ text }) =>
      /gatekeeper\/v2|ratify_verification|:(?:6001|8888|9099)\b/.test(text),
    );
    expect(mentions.map(({ path }) => path)).to.deep.equal([]);
  });
});
