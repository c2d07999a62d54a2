import { readFile } from 'node:fs/promises';
import { EXECUTOR_GROUP, EXECUTOR_KINDS, EXECUTOR_VERSION, type Executor } from '@executor-status/api';
import { admit } from '@executor-status/executor';
import { parseAllDocuments } from 'yaml';
import { DemoUsageError } from './demo-error.ts';

const API_VERSION = `${EXECUTOR_GROUP}/${EXECUTOR_VERSION}`;

/** The executors in `files`, each with the file it stands in, so that a refusal can name it. */
export async function readExecutors(files: readonly string[]): Promise<readonly FoundExecutor[]> {
  const found = await Promise.all(files.map(async (file) => parseExecutors(file, await readText(file))));
  const executors = found.flat();
  for (const { file, executor } of executors) {
    refuseTwin(file, executor, executors);
    refuseInadmissible(file, executor);
  }
  return executors;
}

export interface FoundExecutor {
  readonly file: string;
  readonly executor: Executor;
}

/**
 * The executors in one YAML or JSON text, which may hold several documents.
 *
 * @throws {DemoUsageError} one line that names the file, the line where there is one, and what was expected.
 */
export function parseExecutors(file: string, text: string): readonly FoundExecutor[] {
  const documents = parseAllDocuments(text);
  const list = Array.isArray(documents) ? documents : [];
  const values = list.map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new DemoUsageError(`${file} is not YAML: ${error.message.split('\n')[0]}`);
    return document.toJS() as unknown;
  });
  const executors = values.filter((value) => value !== null).map((value) => asExecutor(file, value));
  if (executors.length === 0) throw new DemoUsageError(`${file} holds no object: expected an Executor`);
  return executors.map((executor) => ({ file, executor }));
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const why = code === 'ENOENT' ? 'there is no such file' : String(code ?? cause);
    throw new DemoUsageError(`cannot read ${file}: ${why}`, { cause });
  }
}

function asExecutor(file: string, value: unknown): Executor {
  const object = (typeof value === 'object' ? value : {}) as Partial<Executor>;
  const isExecutor = EXECUTOR_KINDS.some((kind) => kind === object.kind);
  if (!isExecutor || object.apiVersion !== API_VERSION) {
    const what = `${object.apiVersion ?? 'no apiVersion'}, ${object.kind ?? 'no kind'}`;
    throw new DemoUsageError(
      `${file} holds something that is no executor (${what}): expected ${API_VERSION}, ${EXECUTOR_KINDS.join(' or ')}`,
    );
  }
  if (typeof object.metadata?.name !== 'string') {
    throw new DemoUsageError(`${file}: metadata.name is missing`);
  }
  return withNamespace(object as Executor);
}

/** A NamespacedExecutor without a namespace goes to `default`, as with kubectl; an Executor has none. */
function withNamespace(executor: Executor): Executor {
  const { namespace, ...metadata } = executor.metadata;
  if (executor.kind === 'Executor') return { ...executor, metadata };
  return { ...executor, metadata: { ...metadata, namespace: namespace ?? 'default' } };
}

function refuseTwin(file: string, executor: Executor, all: readonly FoundExecutor[]): void {
  const twins = all.filter(({ executor: other }) => nameOf(other) === nameOf(executor));
  if (twins.length > 1) throw new DemoUsageError(`${file}: ${nameOf(executor)} is given more than once`);
}

/** Before a cluster is started for it. The API server says more exactly what is wrong, but only once it runs. */
function refuseInadmissible(file: string, executor: Executor): void {
  if (admit(executor.spec).valid) return;
  throw new DemoUsageError(
    `${file}: the CRD refuses the spec of ${nameOf(executor)}: scopes, verifiers (each with name and type) and stores (each with type) are needed, with at least one entry each`,
  );
}

/** `Executor default` or `NamespacedExecutor team-a/policy`. */
export function nameOf({ kind, metadata }: Executor): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}
