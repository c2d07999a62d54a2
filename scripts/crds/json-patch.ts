/** One step of a JSON patch (RFC 6902); only the three kinds that our patches use. */
export type PatchOperation =
  | { readonly op: 'test' | 'add'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** A patch that does not fit the document, or that is none. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

/**
 * A copy of `document` with all of `operations` done in their order. Into a list it adds by index, never by `-`.
 *
 * @throws {PatchError} when a tested value differs, or a path does not exist. The document itself is never changed.
 * @see RFC 6902; the API server does the same with `application/json-patch+json`, which a test compares.
 */
export function applyJsonPatch(document: unknown, operations: readonly PatchOperation[]): unknown {
  const copy: unknown = structuredClone(document);
  for (const operation of operations) applyOperation(copy, operation);
  return copy;
}

/**
 * Checks that `value` is a JSON patch made of the operations that `applyJsonPatch` knows.
 *
 * @throws {PatchError} naming the first step that is not.
 */
export function asJsonPatch(value: unknown): readonly PatchOperation[] {
  if (!Array.isArray(value)) throw new PatchError('a JSON patch is a list of operations');
  return value.map(asOperation);
}

function asOperation(step: unknown, at: number): PatchOperation {
  if (!isRecord(step) || typeof step['path'] !== 'string' || !step['path'].startsWith('/')) {
    throw new PatchError(`operation ${at} has no path that begins with /`);
  }
  const { op, path, value } = step;
  if (op === 'remove') return { op, path };
  if ((op === 'test' || op === 'add') && value !== undefined) return { op, path, value };
  throw new PatchError(
    `operation ${at} is no test or add with a value, and no remove: ${JSON.stringify(op)}`,
  );
}

function applyOperation(document: unknown, operation: PatchOperation): void {
  const names = operation.path.slice(1).split('/').map(unescapeName);
  const last = names.pop() ?? '';
  const parent = names.reduce((at, name) => childOf(at, name, operation.path), document);
  switch (operation.op) {
    case 'test':
      if (sameJson(childOf(parent, last, operation.path), operation.value)) return;
      throw new PatchError(`${operation.path} is not ${JSON.stringify(operation.value)}`);
    case 'add':
      return addTo(parent, last, operation);
    case 'remove':
      childOf(parent, last, operation.path);
      return removeFrom(parent, last);
  }
}

const unescapeName = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~');

function childOf(parent: unknown, name: string, path: string): unknown {
  const child: unknown =
    (isRecord(parent) || Array.isArray(parent)) && Object.hasOwn(parent, name)
      ? Reflect.get(parent, name)
      : undefined;
  if (child === undefined) throw new PatchError(`${path} does not exist: no ${JSON.stringify(name)}`);
  return child;
}

function addTo(parent: unknown, name: string, { path, value }: { path: string; value: unknown }): void {
  if (Array.isArray(parent) && Number(name) <= parent.length) {
    parent.splice(Number(name), 0, structuredClone(value));
  } else if (isRecord(parent)) {
    parent[name] = structuredClone(value);
  } else {
    throw new PatchError(`${path} cannot be added: its parent does not take ${JSON.stringify(name)}`);
  }
}

function removeFrom(parent: unknown, name: string): void {
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else if (isRecord(parent)) delete parent[name];
}

function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((child, at) => sameJson(child, b[at]));
  }
  if (!isRecord(a) || !isRecord(b)) return a === b;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => sameJson(a[name], b[name]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
