import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './crd-schema.ts';

/** One row of `docs/metrics.md`. */
export interface DocumentedMetric {
  readonly name: string;
  readonly kind: string;
  readonly labels: readonly string[];
  readonly help: string;
}

/** The metrics that the page lists for an app: its own, and those of both. */
export async function documentedMetrics(app: string): Promise<readonly DocumentedMetric[]> {
  const page = await readFile(join(ROOT, 'docs/metrics.md'), 'utf8');
  const sections = page
    .split(/^## /m)
    .filter((section) => section.startsWith(app) || section.startsWith('Both'));
  return sections.flatMap((section) =>
    [...section.matchAll(ROW)].map(([, name = '', kind = '', labels = '', help = '']) => ({
      name,
      kind,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
      help,
    })),
  );
}

const ROW = /^\| `(\w+)` \| (\w+) \| (.*?) ?\| (.*) \|$/gm;

/** The metrics in a text that Prometheus reads: from its HELP and TYPE lines, and the labels of its series. */
export function servedMetrics(text: string): readonly Omit<DocumentedMetric, 'labels'>[] {
  const helps = new Map(
    [...text.matchAll(/^# HELP (\w+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]),
  );
  return [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', kind = '']) => ({
    name,
    kind,
    help: helps.get(name) ?? '',
  }));
}
