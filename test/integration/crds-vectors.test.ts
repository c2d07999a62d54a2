import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { EXECUTOR_PLURALS, type ExecutorKind } from '@executor-status/api';
import { expect } from 'chai';
import { ROOT } from '../contract/crd-schema.ts';
import { useControlPlane } from '../support/shared-control-plane.ts';

/** A recorded case: executors in their order, and what the CRD says of each. */
interface Vector {
  readonly name: string;
  readonly executors: readonly {
    readonly op?: 'delete';
    readonly kind: ExecutorKind;
    readonly name: string;
    readonly spec?: unknown;
  }[];
  /** The random ones have one executor each, and say it of the vector as a whole. */
  readonly expect: { readonly crdValid: boolean; readonly steps: readonly { readonly crdValid?: boolean }[] };
}

/** Of the random mutations every so many-th is asked, so that the suite stays short; the whole file agrees too. */
const EVERY = 20;

describe('the CRDs of executors and the recorded verdicts', () => {
  const controlPlane = useControlPlane();
  let namespace: string;

  before(async () => {
    namespace = await controlPlane().createNamespace('vectors');
  });

  it('UP-1 admit exactly the executors that Ratify’s CRDs admit', async function () {
    this.timeout(120_000);
    const vectors = parse(
      await readFile(join(ROOT, 'test/fixtures/vectors/executor-verdicts.jsonl'), 'utf8'),
    );
    expect(vectors.length).to.be.greaterThan(600);
    expect(await disagreements(vectors)).to.deep.equal([]);
  });

  it('UP-1 admit exactly the random executors that Ratify’s CRDs admit', async function () {
    this.timeout(120_000);
    const packed = await readFile(join(ROOT, 'test/fixtures/vectors/fuzz-verdicts.jsonl.gz'));
    const vectors = parse(gunzipSync(packed).toString('utf8'));
    expect(vectors.length).to.be.greaterThan(7000);
    expect(await disagreements(vectors.filter((_, at) => at % EVERY === 0))).to.deep.equal([]);
  });

  async function disagreements(vectors: readonly Vector[]): Promise<readonly string[]> {
    const steps = vectors.flatMap(({ name, executors, expect: recorded }) =>
      executors.map((executor, at) => ({
        name: `${name} step ${at}`,
        executor,
        crdValid: recorded.steps[at]?.crdValid ?? recorded.crdValid,
      })),
    );
    const asked = steps.filter(({ executor }) => executor.op !== 'delete');
    const wrong = await Promise.all(
      asked.map(async ({ name, executor, crdValid }) => {
        const { admitted, message } = await dryCreate(executor);
        return admitted === crdValid ? [] : [`${name}: ${message ?? 'admitted'}`];
      }),
    );
    return wrong.flat();
  }

  async function dryCreate({ kind, name, spec }: Vector['executors'][number]) {
    const scope = kind === 'Executor' ? '' : `/namespaces/${namespace}`;
    const { code, body } = await controlPlane().admin.request<{ message?: string }>(
      `POST /apis/config.ratify.sh/v2alpha1${scope}/${EXECUTOR_PLURALS[kind]}`,
      { apiVersion: 'config.ratify.sh/v2alpha1', kind, metadata: { name }, spec },
      { query: { dryRun: 'All' } },
    );
    return { admitted: code === 201, message: body.message };
  }
});

function parse(lines: string): readonly Vector[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Vector);
}
