import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CONDITIONS,
  EXECUTOR_GROUP,
  EXECUTOR_KINDS,
  EXECUTOR_PLURALS,
  EXECUTOR_VERSION,
} from '@executor-status/api';
import { expect } from 'chai';
import { executorCrds, readRatifyCrd } from '../../scripts/crds/executor-crds.ts';
import { type Crd, ROOT, readCrd, type Schema, schemaAt, schemaPaths, valuePaths } from './crd-schema.ts';
import { fullExecutorStatus, minimalExecutorStatus } from './full-executor-status.ts';
import { columnsOf, expectBounded, expectColumnsOverScalars, expectRequiredWithin } from './schema-rules.ts';

const OURS = [
  'observedGeneration',
  'conditions',
  'podCounts',
  'builds',
  'errorGroups',
  'warningGroups',
  'byPod',
  'truncated',
  'omitted',
];

it('PR11 the CRDs of executors are what their sources give', async () => {
  for (const { path, text } of await executorCrds(ROOT)) {
    expect(await readFile(join(ROOT, path), 'utf8'), `${path}: run scripts/crds.ts update`).to.equal(text);
  }
});

for (const kind of EXECUTOR_KINDS) {
  const plural = EXECUTOR_PLURALS[kind] as 'executors' | 'namespacedexecutors';

  describe(`the CRD of ${plural}, with our status`, () => {
    let crd: Crd;
    let ratify: Crd;
    let status: Schema;
    let ratifyStatus: Schema;

    before(async () => {
      crd = await readCrd(`${plural}.yaml`);
      ratify = (await readRatifyCrd(ROOT, plural)) as Crd;
      status = schemaAt(crd.spec.versions[0].schema.openAPIV3Schema, '.status');
      ratifyStatus = schemaAt(ratify.spec.versions[0].schema.openAPIV3Schema, '.status');
    });

    it('is named as the code names it', () => {
      expect(crd.metadata.name).to.equal(`${plural}.${EXECUTOR_GROUP}`);
      expect(crd.spec.group).to.equal(EXECUTOR_GROUP);
      expect(crd.spec.names).to.include({ kind, plural });
      expect(crd.spec.versions.map(({ name }) => name)).to.deep.equal([EXECUTOR_VERSION]);
    });

    it('UP-1 is Ratify’s own apart from status fields and columns', () => {
      const withoutOurs: unknown = JSON.parse(JSON.stringify(crd), (key, value: unknown) =>
        key === 'additionalPrinterColumns' ? ratify.spec.versions[0].additionalPrinterColumns : value,
      );
      for (const name of OURS) {
        const { properties } = schemaAt(
          (withoutOurs as Crd).spec.versions[0].schema.openAPIV3Schema,
          '.status',
        );
        delete (properties as Record<string, Schema>)[name];
      }
      expect(withoutOurs).to.deep.equal(ratify);
    });

    it('AP-1 leaves Ratify’s own status fields as they are', () => {
      expect(status.required).to.deep.equal(['succeeded']);
      for (const [name, schema] of Object.entries(ratifyStatus.properties ?? {})) {
        expect(status.properties?.[name], name).to.deep.equal(schema);
      }
    });

    it('has exactly the status fields of the code', () => {
      expect([...schemaPaths(status).keys()]).to.have.members([...valuePaths(fullExecutorStatus)]);
    });

    it('requires only what the code always gives', () => {
      expectRequiredWithin(status, minimalExecutorStatus);
    });

    it('AP-1 bounds every string, list and number of ours', () => {
      for (const name of OURS) expectBounded({ properties: { [name]: schemaAt(status, `.${name}`) } });
    });

    it('AP-1 has the limits of the design', () => {
      const limits: Record<string, number> = {
        '.conditions': 16,
        '.conditions[].message': 1024,
        '.errorGroups': 10,
        '.errorGroups[].message': 256,
        '.errorGroups[].examplePods': 3,
        '.warningGroups': 5,
        '.warningGroups[].message': 256,
        '.warningGroups[].examplePods': 3,
        '.byPod': 256,
        '.byPod[].error': 512,
        '.byPod[].briefError': 123,
      };
      for (const [path, limit] of Object.entries(limits)) {
        const { maxLength, maxItems } = schemaAt(status, path);
        expect(maxLength ?? maxItems, path).to.equal(limit);
      }
    });

    it('B27 merges conditions by type, and keeps every other list whole', () => {
      const lists = [...schemaPaths(status)].filter(([, { type }]) => type === 'array');
      for (const [path, schema] of lists) {
        expect(schema['x-kubernetes-list-type'], path).to.equal(path === '.conditions' ? 'map' : 'atomic');
      }
      expect(schemaAt(status, '.conditions')['x-kubernetes-list-map-keys']).to.deep.equal(['type']);
    });

    it('lists every condition type with its reasons, and no other', () => {
      const listed = /Types and reasons:\n(.*)$/s.exec(
        schemaAt(status, '.conditions').description ?? '',
      )?.[1];
      const known = Object.entries(CONDITIONS).map(([type, reasons]) => `- ${type}: ${reasons.join(', ')}`);
      expect(listed).to.equal(known.join('\n'));
    });

    it('AP-4 has the columns of the design', () => {
      expect(columnsOf(crd)).to.deep.equal({
        narrow: ['Ready', 'Builds', 'Generation', 'Error', 'Age'],
        wide: ['Reason', 'Stale', 'Missing'],
      });
    });

    it('B35 has columns over scalars only', () => {
      expectColumnsOverScalars(crd);
    });
  });
}
