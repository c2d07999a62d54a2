import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { LastRun } from './last-run.ts';
import { sizingPage } from './sizing-page.ts';
import { DOCS, sizingFiles } from './write-sizing.ts';

describe('docs/sizing.md', () => {
  it('is made of the last full run, like its pictures (SC-5)', async () => {
    const run = JSON.parse(await readFile(join(DOCS, 'sizing/last-run.json'), 'utf8')) as LastRun;
    for (const { path, text } of sizingFiles(run)) {
      expect(await readFile(join(DOCS, path), 'utf8'), path).to.equal(text);
    }
  });

  const run: LastRun = {
    date: '2026-08-06',
    machine: { cores: 2, memoryGiB: 8 },
    minutes: 25,
    figures: [
      ...burst('50x20', { writes: 40, lag: 0.5, cpu: 0.5, 'peak-rss': 100, load: 400 }),
      ...burst('5000x5', { writes: 50, lag: 1, cpu: 5.3, 'peak-rss': 200, load: 400 }),
    ],
  };

  it('says met or missed of each budget, and why it is missed', () => {
    const page = sizingPage(run);
    expect(page).to.include('| burst.50x20.writes | 40 | ≤ 60 | met |');
    expect(page).to.include('| burst.5000x5.writes | 50 | ≤ 40 | **missed** |');
    expect(page).to.match(/^- `burst\.5000x5\.writes`: /m);
  });

  it('says what a budget was before it was lowered', () => {
    const figures = [...run.figures, { name: 'burst.50x20.status-size', value: 13, unit: 'kB' }];
    expect(sizingPage({ ...run, figures })).to.include(
      '| burst.50x20.status-size | 13 kB | ≤ 40 (design: 64) | met |',
    );
  });

  it('plans 10,000 pods of 100 executors by the measured slopes', () => {
    const page = sizingPage(run);
    expect(page).to.include('- its processor time for a burst ≈ 0.3 s + 0.20 ms × reports');
    expect(page).to.match(/^\| 10,000 × 100 \| 1,000,000 \| 4,26\d \| 201 \| 2,500 \| 4,700 \|$/m);
  });

  function burst(size: string, values: Readonly<Record<string, number>>) {
    return Object.entries(values).map(([what, value]) => ({
      name: `burst.${size}.${what}`,
      value,
      unit: '',
    }));
  }
});
