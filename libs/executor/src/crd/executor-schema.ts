/**
 * The `spec` part of Ratify's two CRDs (one schema for both), types, required fields and limits only.
 *
 * @see https://github.com/notaryproject/ratify, config/crd/bases, commit a79b4b43
 */
export const EXECUTOR_SPEC_SCHEMA = {
  type: 'object',
  required: ['scopes', 'stores', 'verifiers'],
  properties: {
    concurrency: { type: 'integer' },
    policyEnforcer: typed(),
    scopes: { type: 'array', minItems: 1, items: { type: 'string' } },
    stores: { type: 'array', minItems: 1, items: typed() },
    verifiers: {
      type: 'array',
      minItems: 1,
      items: {
        ...typed(),
        required: ['name', 'type'],
        properties: { ...typed().properties, name: { type: 'string', minLength: 1 } },
      },
    },
  },
} as const;

function typed() {
  return {
    type: 'object',
    required: ['type'],
    properties: {
      parameters: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      type: { type: 'string', minLength: 1 },
    },
  } as const;
}
