import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { recordedKeyVault } from '../../../test/support/recorded-key-vault.ts';
import { admit } from './crd/crd-admission.ts';
import type { Environment, KeyVault, SigstoreRoot } from './environment.ts';
import type { Member } from './member.ts';
import { podEnvironment } from './pod/pod-environment.ts';
import { reachableSigstoreRoot, unreachableKeyVault, unreachableSigstoreRoot } from './pod/unreachable.ts';
import { RatifySet } from './ratify-set.ts';

const VECTORS = new URL('../../../test/fixtures/vectors/', import.meta.url);

interface Recording {
  readonly ok: boolean;
  readonly steps?: readonly RecordedStep[];
}

interface RecordedStep {
  readonly ok: boolean;
  readonly crdValid?: boolean | undefined;
  readonly code?: string | undefined;
  readonly path?: string | undefined;
  readonly blame?: object | undefined;
}

type Step = Omit<Member, 'uid'> & { readonly op?: string };

interface Vector {
  readonly name: string;
  readonly environ?: Readonly<Record<string, string>>;
  readonly vaultObjects?: Readonly<Record<string, string>>;
  readonly executors: readonly Step[];
  readonly expect: Recording & {
    readonly crdValid: boolean;
    readonly steps: readonly RecordedStep[];
    readonly ifSigstoreRootReachable?: Recording;
    readonly ifKeyVaultReachable?: Recording;
  };
}

describe('recorded verdicts', () => {
  const vectors = readVectors('executor-verdicts.jsonl');

  it('are all there', () => {
    expect(vectors).to.have.length(695);
  });

  it('agree with ours, with code, path and blame, when nothing outside the pod answers', async () => {
    for (const vector of vectors) await compare(vector, vector.expect, {});
  });

  it('agree with ours when the Sigstore root can be fetched', async () => {
    for (const vector of vectors) {
      const recording = vector.expect.ifSigstoreRootReachable ?? vector.expect;
      await compare(vector, recording, { sigstoreRoot: reachableSigstoreRoot });
    }
  });

  it('agree with ours when the key vault answers', async () => {
    for (const vector of vectors) {
      const recording = vector.expect.ifKeyVaultReachable ?? vector.expect;
      await compare(vector, recording, { keyVault: recordedKeyVault(vector.vaultObjects ?? {}) });
    }
  });
});

describe('recorded verdicts of random mutations', () => {
  const vectors = readVectors('fuzz-verdicts.jsonl.gz');

  it('are all there', () => {
    expect(vectors).to.have.length(8_000);
  });

  it('agree with ours', async () => {
    for (const vector of vectors) await compare(vector, vector.expect, {});
  }).timeout(60_000);

  it('agree with ours when the Sigstore root can be fetched', async () => {
    for (const vector of vectors) {
      const recording = vector.expect.ifSigstoreRootReachable ?? vector.expect;
      await compare(vector, recording, { sigstoreRoot: reachableSigstoreRoot });
    }
  }).timeout(60_000);
});

async function compare(vector: Vector, recording: Recording, providers: Providers): Promise<void> {
  const got = await replay(vector, providers);
  const { name } = vector;
  expect(
    got.every(({ ok }) => ok),
    `${name}: ok`,
  ).to.equal(recording.ok);
  expect(
    got.every(({ crdValid }) => crdValid),
    `${name}: crdValid`,
  ).to.equal(vector.expect.crdValid);
  // The mutations carry neither code nor path.
  if (vector.name.startsWith('fuzz/')) return;
  const want = recording.steps?.map(({ ok, code, path, blame }, step) => {
    const crdValid = vector.expect.steps[step]?.crdValid;
    return { ok, crdValid, code, path, blame };
  });
  expect(got, name).to.deep.equal(want);
}

async function replay(vector: Vector, providers: Providers): Promise<readonly RecordedStep[]> {
  const environment = environmentOf(vector, providers);
  const sets = new Map<string, RatifySet>();
  const steps: RecordedStep[] = [];
  for (const step of vector.executors) {
    const { namespace = '' } = step;
    const set = sets.get(namespace) ?? new RatifySet(environment);
    sets.set(namespace, set);
    steps.push(step.op === 'delete' ? remove(step, set) : await apply(step, set));
  }
  return steps;
}

function remove(step: Step, set: RatifySet): RecordedStep {
  set.delete(step);
  return { ok: true, crdValid: true, code: undefined, path: undefined, blame: undefined };
}

async function apply(
  { kind, namespace = '', name, spec: written }: Step,
  set: RatifySet,
): Promise<RecordedStep> {
  const { valid, stored } = admit(written);
  const spec = valid ? stored : written;
  const { outcome, blame: member } = await set.apply({ kind, namespace, name, uid: 'uid-1', spec });
  const { succeeded: ok, code, path, error } = outcome;
  expect(ok || code !== undefined, `${name}: ${error}`).to.equal(true);
  const blame =
    member === undefined ? undefined : { kind: member.kind, namespace: member.namespace, name: member.name };
  return { ok, crdValid: valid, code, path, blame };
}

interface Providers {
  readonly sigstoreRoot?: SigstoreRoot;
  readonly keyVault?: KeyVault;
}

function environmentOf(vector: Vector, providers: Providers): Environment {
  const environment = podEnvironment({
    variables: vector.environ ?? {},
    keyVault: providers.keyVault ?? unreachableKeyVault,
    sigstoreRoot: providers.sigstoreRoot ?? unreachableSigstoreRoot,
  });
  const folder = VECTORS.pathname;
  return {
    ...environment,
    walk: (path) => environment.walk(path === '' || path.startsWith('/') ? path : `${folder}${path}`),
  };
}

function readVectors(file: string): readonly Vector[] {
  const bytes = readFileSync(new URL(file, VECTORS));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Vector);
}
