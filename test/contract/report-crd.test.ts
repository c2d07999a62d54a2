import {
  MAX_BRIEF_ERROR_BYTES,
  MAX_ERROR_BYTES,
  MAX_NAME_CHARS,
  REPORT_KIND,
  REPORT_PLURAL,
  REPORT_REASONS,
  STATUS_GROUP,
  STATUS_VERSION,
} from '@executor-status/api';
import { expect } from 'chai';
import { type Crd, readCrd, type Schema, schemaAt, schemaPaths, valuePaths } from './crd-schema.ts';
import { fullReportSpec, fullReportStatus, minimalReportStatus } from './full-report.ts';
import { columnsOf, expectBounded, expectColumnsOverScalars, expectRequiredWithin } from './schema-rules.ts';

describe('the CRD of reports', () => {
  let crd: Crd;
  let schema: Schema;

  before(async () => {
    crd = await readCrd('executorpodstatuses.yaml');
    schema = crd.spec.versions[0].schema.openAPIV3Schema;
  });

  it('is named as the code names it', () => {
    expect(crd.metadata.name).to.equal(`${REPORT_PLURAL}.${STATUS_GROUP}`);
    expect(crd.spec.group).to.equal(STATUS_GROUP);
    expect(crd.spec.names).to.include({ kind: REPORT_KIND, plural: REPORT_PLURAL });
    expect(crd.spec.versions.map(({ name }) => name)).to.deep.equal([STATUS_VERSION]);
  });

  it('B30 is namespaced, as its owner is', () => {
    expect(crd.spec.scope).to.equal('Namespaced');
  });

  it('AP-5 has the short name exps and the category ratify', () => {
    expect(crd.spec.names.shortNames).to.deep.equal(['exps']);
    expect(crd.spec.names.categories).to.deep.equal(['ratify']);
  });

  it('has exactly the fields of the code', () => {
    expect([...schemaPaths(schemaAt(schema, '.spec')).keys()]).to.have.members([
      ...valuePaths(fullReportSpec),
    ]);
    expect([...schemaPaths(schemaAt(schema, '.status')).keys()]).to.have.members([
      ...valuePaths(fullReportStatus),
    ]);
  });

  it('requires only what the code always gives', () => {
    expect(schema.required).to.deep.equal(['spec']);
    expectRequiredWithin(schemaAt(schema, '.spec'), fullReportSpec);
    expectRequiredWithin(schemaAt(schema, '.status'), { ...fullReportStatus, ...minimalReportStatus });
    expect(schemaAt(schema, '.status').required).to.have.members(Object.keys(minimalReportStatus));
  });

  it('AP-1 bounds every string, list and number', () => {
    expectBounded(schemaAt(schema, '.spec'));
    expectBounded(schemaAt(schema, '.status'));
  });

  it('AP-1 has the limits of the design', () => {
    const limits: Record<string, number> = {
      '.status.error': MAX_ERROR_BYTES,
      '.status.briefError': MAX_BRIEF_ERROR_BYTES,
      '.spec.pod.name': MAX_NAME_CHARS,
      '.spec.executorRef.name': MAX_NAME_CHARS,
      '.status.reason': 64,
      '.status.material': 16,
      '.status.material[].sha256': 16,
      '.status.materialDigest': 16,
      '.status.warnings': 5,
    };
    for (const [path, limit] of Object.entries(limits)) {
      const { maxLength, maxItems } = schemaAt(schema, path);
      expect(maxLength ?? maxItems, path).to.equal(limit);
    }
  });

  it('WP-9 lists every reason with its meaning, and no other', () => {
    const listed = /of this set:\n(.*)$/s.exec(schemaAt(schema, '.status.reason').description ?? '')?.[1];
    const known = Object.entries(REPORT_REASONS).map(([reason, meaning]) => `- ${reason}: ${meaning}`);
    expect(listed).to.equal(known.join('\n'));
  });

  it('WP-9 has the pattern of reasons, which every reason matches', () => {
    const { pattern = '', maxLength = 0 } = schemaAt(schema, '.status.reason');
    expect(pattern).to.equal('^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$');
    for (const reason of Object.keys(REPORT_REASONS)) {
      expect(reason).to.match(new RegExp(pattern));
      expect(reason.length).to.be.at.most(maxLength);
    }
  });

  it('AP-3 B08 has no observedGeneration, which generic tools would misread', () => {
    expect([...schemaPaths(schema).keys()].filter((path) => /observedGeneration/i.test(path))).to.deep.equal(
      [],
    );
  });

  it('AP-4 has the columns of the design', () => {
    expect(columnsOf(crd)).to.deep.equal({
      narrow: ['Pod', 'Executor', 'Succeeded', 'Reason', 'Generation', 'Age'],
      wide: ['Node', 'Error'],
    });
  });

  it('B35 has columns over scalars only', () => {
    expectColumnsOverScalars(crd);
  });

  it('selects by fields that it has', () => {
    const fields = crd.spec.versions[0].selectableFields?.map(({ jsonPath }) => jsonPath) ?? [];
    expect(fields).to.include.members(['.spec.executorRef.name', '.spec.pod.name', '.spec.nodeName']);
    for (const field of fields) expect(schemaAt(schema, field).type, field).to.equal('string');
  });
});
