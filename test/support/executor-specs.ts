import { readFileSync } from 'node:fs';
import type { Environment, Member } from '@executor-status/executor';

const VECTOR_FIXTURES = new URL('../fixtures/vectors/fixtures/', import.meta.url);

/** A file of the vectors' fixtures, as text. */
export function fixture(name: string): string {
  return readFileSync(new URL(name, VECTOR_FIXTURES)).toString();
}

/** The path of a file of the vectors' fixtures. */
export function fixturePath(name: string): string {
  return new URL(name, VECTOR_FIXTURES).pathname;
}

/** A spec that builds everywhere, without warnings: one notation verifier with a self-signed CA, one store, a policy. */
export function goodSpec(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    scopes: ['registry.example'],
    verifiers: [notation({})],
    stores: [store({})],
    policyEnforcer: { type: 'threshold-policy', parameters: { policy: { rules: [{ verifierName: 'n1' }] } } },
    ...fields,
  };
}

/** A notation verifier named n1. */
export function notation(parameters: Readonly<Record<string, unknown>>): object {
  const certificates = [{ inline: { certs: fixture('root-p256.pem') } }];
  return { name: 'n1', type: 'notation', parameters: { certificates, ...parameters } };
}

/** A cosign verifier named n1 with one trust policy. */
export function cosign(trustPolicy: Readonly<Record<string, unknown>> | null): object {
  return { name: 'n1', type: 'cosign', parameters: { trustPolicies: [trustPolicy] } };
}

/** A registry store with anonymous access. */
export function store(parameters: Readonly<Record<string, unknown>>): object {
  return { type: 'registry-store', parameters: { credential: { provider: 'static' }, ...parameters } };
}

/** An Executor named default. */
export function member(spec: unknown, fields: Partial<Member> = {}): Member {
  return { kind: 'Executor', name: 'default', uid: 'uid-1', spec, ...fields };
}

/** A pod with nothing in it: no files, no variables, a vault and a root that are not asked. It is 2027. */
export function emptyEnvironment(fields: Partial<Environment> = {}): Environment {
  return {
    walk: (path) => Promise.resolve({ files: [], watched: [path], skipped: 'missing' }),
    readFile: (path) => Promise.reject(new Error(`no file ${path}`)),
    variables: {},
    now: () => new Date('2027-06-01T00:00:00Z'),
    ...fields,
  };
}
