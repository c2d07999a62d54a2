import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONDITIONS } from '@executor-status/api';
import { expect } from 'chai';
import { EVENT_REASONS } from '../../apps/status-aggregator/src/plan-events.ts';
import { ROOT } from './crd-schema.ts';

const page = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');
const runbook = page('runbook.md');
const headings = [...runbook.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);

/** As GitHub makes the anchor of a heading. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

describe('the runbook', () => {
  it('DO-1: has an entry for each reason of each condition and for each Event, in their order, and no others', () => {
    const reasons = Object.entries(CONDITIONS).flatMap(([type, all]) =>
      all.map((reason) => `${type}: ${reason}`),
    );
    const events = EVENT_REASONS.map((reason) => `Event: ${reason}`);
    expect(headings).to.deep.equal([...reasons, ...events]);
  });

  it('DO-1: says something in each entry', () => {
    for (const entry of runbook.split(/^### /m).slice(1)) {
      expect(entry.split('\n').slice(1).join(' ').trim(), entry.split('\n')[0]).to.match(/^\S.{15,}[.|]/s);
    }
  });

  it('points to entries that are there', () => {
    const anchors = new Set(headings.map(anchor));
    const links = [...runbook.matchAll(/\]\(#([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links).not.to.deep.equal([]);
    for (const link of links) expect(anchors, link).to.include(link);
  });

  it('S7: says, by way of the page about verdicts, that a status never reflects verify results', () => {
    expect(page('verdicts.md')).to.contain('never reflects verify results');
    expect(runbook).to.contain('It does not say that images verify');
  });
});
