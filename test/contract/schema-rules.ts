import { expect } from 'chai';
import { type Crd, type Schema, schemaPaths, valuePaths } from './crd-schema.ts';

/** The largest integer that every reader of JSON holds exactly. */
const MAX_SAFE = 2 ** 53 - 1;

/** Expects a limit on every string, list and number below `schema`. */
export function expectBounded(schema: Schema): void {
  for (const [path, child] of schemaPaths(schema)) {
    switch (child.type) {
      case 'string':
        expect(child.maxLength ?? child.enum, `${path} has a maxLength or an enum`).not.to.equal(undefined);
        break;
      case 'array':
        expect(child.maxItems, `${path} has maxItems`).to.be.a('number');
        break;
      case 'integer':
        expect(child.minimum, `${path} has a minimum`).to.be.at.least(0);
        if (child.format !== 'int32') expect(child.maximum, `${path} has a maximum`).to.equal(MAX_SAFE);
        break;
      default:
        expect(child.type, `${path} has a type`).to.be.oneOf(['object', 'boolean']);
        expect(child['x-kubernetes-preserve-unknown-fields'], `${path} knows its fields`).to.equal(undefined);
    }
  }
}

/** Expects that `schema` requires, at every depth that `value` reaches, only fields that `value` has. */
export function expectRequiredWithin(schema: Schema, value: unknown): void {
  const given = valuePaths(value);
  const schemas = new Map([['', schema], ...schemaPaths(schema)]);
  for (const [path, { required = [] }] of schemas) {
    if (path !== '' && !given.has(path)) continue;
    expect([...given], `required at ${path}`).to.include.members(required.map((name) => `${path}.${name}`));
  }
}

/** The names of a CRD's columns, those that are always shown and those of `-o wide`. */
export function columnsOf(crd: Crd): { narrow: readonly string[]; wide: readonly string[] } {
  const columns = crd.spec.versions[0].additionalPrinterColumns;
  return {
    narrow: columns.filter(({ priority = 0 }) => priority === 0).map(({ name }) => name),
    wide: columns.filter(({ priority = 0 }) => priority > 0).map(({ name }) => name),
  };
}

/** Expects every column to read one scalar field of the schema; of lists only a condition chosen by its type. */
export function expectColumnsOverScalars(crd: Crd): void {
  const { additionalPrinterColumns, schema } = crd.spec.versions[0];
  const paths = schemaPaths(schema.openAPIV3Schema);
  for (const { name, type, jsonPath } of additionalPrinterColumns) {
    if (jsonPath === '.metadata.creationTimestamp') continue;
    const path = jsonPath.replace(/\[\?\(@\.type=="\w+"\)\]/, '[]');
    const lists = path.split('[]').length - 1;
    expect(lists, `${name} reads no list but the conditions`).to.equal(
      path.startsWith('.status.conditions[]') ? 1 : 0,
    );
    expect(paths.get(path)?.type, `${name} reads a ${type} at ${path}`).to.equal(type);
    expect(type).to.be.oneOf(['string', 'boolean', 'integer']);
  }
}
