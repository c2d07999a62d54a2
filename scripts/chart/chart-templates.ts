import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { SUBSTITUTIONS } from './substitutions.ts';

/** A file of the chart that is made of the manifests. */
export interface ChartFile {
  /** Relative to the project's folder. */
  readonly path: string;
  readonly text: string;
}

/** A part of the chart: a folder of the manifests, and the switch that leaves it out. */
interface Part {
  readonly folder: string;
  readonly unless?: string;
}

const PARTS: Readonly<Record<string, Part>> = {
  'report-crd': { folder: 'crds', unless: '.Values.reportCRD.install' },
  'executor-writer': { folder: 'manifests/executor-writer' },
  'own-pod': { folder: 'manifests/policies/own-pod' },
  injection: { folder: 'manifests/injection', unless: '.Values.injection.enabled' },
  'status-aggregator': { folder: 'manifests/status-aggregator', unless: '.Values.statusAggregator.enabled' },
  readers: { folder: 'manifests/readers' },
  fence: {
    folder: 'manifests/policies/fence',
    unless: 'and .Values.statusAggregator.enabled .Values.fence.enabled',
  },
  'narrow-ratify': {
    folder: 'manifests/policies/narrow-ratify',
    unless: 'and .Values.statusAggregator.enabled .Values.narrowRatify.enabled',
  },
};

/**
 * The templates of the Helm chart, made of the manifests: the objects and their comments are the same, and what a user may
 * change is a value.
 *
 * @throws {Error} naming the text that a substitution does not find.
 */
export async function chartTemplates(root: string): Promise<readonly ChartFile[]> {
  const files = await Promise.all(
    Object.entries(PARTS).map(async ([name, part]) => ({ name, part, objects: await objectsOf(root, part) })),
  );
  return files.map(({ name, part, objects }) => {
    const body = objects.join('---\n');
    const guarded = part.unless === undefined ? body : `{{- if ${part.unless} }}\n${body}{{- end }}\n`;
    return { path: `charts/executor-status/templates/${name}.yaml`, text: HEAD + guarded };
  });
}

const HEAD = '{{- /* Made by "npm run fix" from manifests/ and crds/: do not edit. */ -}}\n';

interface Kustomization {
  readonly resources: readonly string[];
  readonly labels?: readonly { readonly pairs: Readonly<Record<string, string>> }[];
}

async function objectsOf(root: string, { folder }: Part): Promise<readonly string[]> {
  const read = (name: string) => readFile(join(root, folder, name), 'utf8');
  const { resources, labels = [] } = parse(await read('kustomization.yaml')) as Kustomization;
  const pairs = Object.assign({}, ...labels.map((label) => label.pairs), {
    'app.kubernetes.io/part-of': 'executor-status',
  }) as Readonly<Record<string, string>>;
  const texts = await Promise.all(resources.map(async (name) => ({ name, text: await read(name) })));
  return texts
    .filter(({ text }) => !text.includes('config.kubernetes.io/local-config'))
    .map(({ name, text }) => substitute(`${folder}/${name}`, withLabels(text, pairs)));
}

/** What kustomize's `labels` does, in the text of one object. */
function withLabels(text: string, pairs: Readonly<Record<string, string>>): string {
  const lines = Object.entries(pairs).map(([key, value]) => `    ${key}: ${value}\n`);
  const added = lines.join('');
  return /^  labels:\n/m.test(text)
    ? text.replace(/^  labels:\n/m, `  labels:\n${added}`)
    : text.replace(/^metadata:\n(?:  name: .*\n)/m, (head) => `${head}  labels:\n${added}`);
}

function substitute(file: string, text: string): string {
  return SUBSTITUTIONS.filter(({ files }) => files === undefined || files.includes(file)).reduce(
    (before, { find, put, files }) => {
      const after = before.replaceAll(find, put);
      if (files !== undefined && after === before) throw new Error(`${file} does not contain ${find}`);
      return after;
    },
    text,
  );
}
