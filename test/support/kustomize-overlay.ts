import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { ControlPlane, Manifest } from './control-plane.ts';

/** A kustomization as a user writes it; paths of the project begin with `manifests` or `crds`. */
export interface Overlay {
  readonly namespace?: string;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly patches?: readonly unknown[];
  /** Files beside the kustomization, by name; they are among its resources. */
  readonly files?: Readonly<Record<string, unknown>>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Writes an overlay into a new folder of the control plane, for `kubectl … -k`, and returns the folder. */
export async function writeOverlay(
  { directory }: Pick<ControlPlane, 'directory'>,
  { resources = [], components = [], files = {}, ...rest }: Overlay,
): Promise<string> {
  await mkdir(join(directory, 'overlays'), { recursive: true });
  const folder = await mkdtemp(join(directory, 'overlays/'));
  const inProject = (path: string) => relative(folder, join(ROOT, path));
  const kustomization = {
    ...rest,
    resources: [...resources.map(inProject), ...Object.keys(files)],
    components: components.map(inProject),
  };
  // JSON is YAML.
  for (const [name, content] of Object.entries({ ...files, 'kustomization.yaml': kustomization })) {
    await writeFile(join(folder, name), JSON.stringify(content));
  }
  return folder;
}

/**
 * What kustomize makes of an overlay.
 *
 * @throws {Error} with what kustomize says.
 */
export async function renderOverlay(
  controlPlane: ControlPlane,
  overlay: Overlay,
): Promise<readonly Manifest[]> {
  const { code, stdout, stderr } = await controlPlane.kubectl(
    'kustomize',
    await writeOverlay(controlPlane, overlay),
  );
  if (code !== 0) throw new Error(`kustomize refuses the overlay: ${stderr}`);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}

/** A patch that replaces the value at a path in all objects of a kind and name, as JSON patches do. */
export function replacing(
  target: { readonly kind: string; readonly name: string },
  values: Readonly<Record<string, unknown>>,
) {
  const operations = Object.entries(values).map(([path, value]) => ({ op: 'replace', path, value }));
  return { target, options: { allowNameChange: true }, patch: JSON.stringify(operations) };
}
