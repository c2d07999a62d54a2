import { expect } from 'chai';
import { RATIFY_PLURALS, readRatifyCrd, readStatusPatch } from '../../scripts/crds/executor-crds.ts';
import { applyJsonPatch, PatchError, type PatchOperation } from '../../scripts/crds/json-patch.ts';
import { type Crd, ROOT, schemaAt } from './crd-schema.ts';

const COLUMNS = '/spec/versions/0/additionalPrinterColumns';
const STATUS_FIELD = /^\/spec\/versions\/0\/schema\/openAPIV3Schema\/properties\/status\/properties\/\w+$/;

describe('the status patch of Ratify’s CRDs', () => {
  let patch: readonly PatchOperation[];
  let reverse: readonly PatchOperation[];

  before(async () => {
    patch = await readStatusPatch(ROOT);
    reverse = await readStatusPatch(ROOT, 'status-patch-reverse.yaml');
  });

  it('UP-1 changes status fields and columns only', () => {
    for (const { op, path } of [...patch, ...reverse]) {
      if (op !== 'test' && path !== COLUMNS) expect(path).to.match(STATUS_FIELD);
    }
  });

  it('UP-1 adds no field that Ratify has', async () => {
    for (const plural of RATIFY_PLURALS) {
      const { schema } = ((await readRatifyCrd(ROOT, plural)) as Crd).spec.versions[0];
      const theirs = Object.keys(schemaAt(schema.openAPIV3Schema, '.status').properties ?? {});
      const added = patch.filter(({ op }) => op === 'add').map(({ path }) => path.split('/').at(-1));
      expect(theirs).to.include('succeeded');
      expect(theirs.filter((name) => added.includes(name))).to.deep.equal([]);
    }
  });

  it('tests before it changes anything', () => {
    const firstChange = patch.findIndex(({ op }) => op !== 'test');
    expect(firstChange).to.be.greaterThan(0);
    expect(patch.slice(firstChange).filter(({ op }) => op === 'test')).to.deep.equal([]);
  });

  for (const plural of RATIFY_PLURALS) {
    for (const group of ['config.ratify.sh', 'config.ratify.dev']) {
      describe(`on ${plural}.${group}`, () => {
        let ratify: Crd;
        let patched: unknown;

        before(async () => {
          const recorded = (await readRatifyCrd(ROOT, plural)) as Crd;
          const metadata = { ...recorded.metadata, name: `${plural}.${group}` };
          ratify = { ...recorded, metadata, spec: { ...recorded.spec, group } };
          patched = applyJsonPatch(ratify, patch);
        });

        it('UP-1 changes nothing the second time', () => {
          expect(patched).not.to.deep.equal(ratify);
          expect(applyJsonPatch(patched, patch)).to.deep.equal(patched);
        });

        it('is undone by its reverse, and only once', () => {
          expect(applyJsonPatch(patched, reverse)).to.deep.equal(ratify);
          expect(() => applyJsonPatch(ratify, reverse)).to.throw(PatchError, 'does not exist');
        });

        it('UP-1 refuses a version that it does not know', () => {
          const [version] = ratify.spec.versions;
          const newer = {
            ...ratify,
            spec: { ...ratify.spec, versions: [{ ...version, name: 'v2' }, version] },
          };
          expect(() => applyJsonPatch(newer, patch)).to.throw(PatchError, 'is not "v2alpha1"');
          expect(() => applyJsonPatch(newer, reverse)).to.throw(PatchError, 'is not "v2alpha1"');
        });

        it('UP-1 refuses a status with a further required field', () => {
          const path = '/spec/versions/0/schema/openAPIV3Schema/properties/status/required/0';
          const stricter = applyJsonPatch(ratify, [{ op: 'add', path, value: 'byPod' }]);
          expect(() => applyJsonPatch(stricter, patch)).to.throw(PatchError, 'is not ["succeeded"]');
        });
      });
    }
  }
});
