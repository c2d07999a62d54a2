import { Ajv } from 'ajv';
import type { ConfigSchema } from './config-schema.ts';
import { parseDuration } from './duration.ts';

/** What is wrong with one key: it is absent though required, unknown, or has a value that the schema refuses. */
export interface SettingFault {
  readonly key: string;
  readonly kind: 'missing' | 'unknown' | 'refused';
}

/** The faults of `values`, at most one a key; none when they fit the schema. */
export function validateSettings(
  schema: ConfigSchema,
  values: Readonly<Record<string, unknown>>,
): SettingFault[] {
  const validate = settingsAjv().compile(schema);
  if (validate(values)) return [];
  const faults = new Map<string, SettingFault>();
  for (const { keyword, params, instancePath } of validate.errors ?? []) {
    const fault = faultOf(keyword, params, instancePath);
    if (!faults.has(fault.key)) faults.set(fault.key, fault);
  }
  return [...faults.values()];
}

function faultOf(keyword: string, params: Record<string, unknown>, instancePath: string): SettingFault {
  if (keyword === 'required') return { key: String(params['missingProperty']), kind: 'missing' };
  if (keyword === 'additionalProperties')
    return { key: String(params['additionalProperty']), kind: 'unknown' };
  return { key: instancePath.split('/')[1] ?? '', kind: 'refused' };
}

function settingsAjv(): Ajv {
  const ajv = new Ajv({ allErrors: true, strict: true });
  ajv.addVocabulary(['x-env', 'x-secret']);
  ajv.addFormat('duration', (text: string) => parseDuration(text) !== undefined);
  ajv.addKeyword({
    keyword: 'x-min',
    schemaType: 'string',
    validate: (min: string, value: string) => (parseDuration(value) ?? 0) >= (parseDuration(min) ?? 0),
  });
  ajv.addKeyword({
    keyword: 'x-max',
    schemaType: 'string',
    validate: (max: string, value: string) => (parseDuration(value) ?? 0) <= (parseDuration(max) ?? 0),
  });
  return ajv;
}
