import type { BuildContext, BuildNotes } from '../build/build-notes.ts';
import { decode } from '../faults/decode.ts';
import { Fault } from '../faults/fault.ts';
import { count, found, quote } from '../faults/found.ts';
import { goMap, isObject, type Located } from '../go/go-type.ts';
import { childPath, itemPath } from '../json-path.ts';

/** A rule of the policy tree after the first pass. */
interface Rule {
  readonly path: string;
  readonly verifierName: string;
  readonly threshold: number;
  /** In the order of the list. */
  readonly rules: readonly Rule[];
}

/**
 * Builds a threshold policy: first the types of the whole tree, then its meaning, each depth first. Both passes keep
 * their own stack, as the tree may be as deep as the API server takes it (10,000 levels of JSON).
 *
 * @param verifierNames - of this executor, for a warning; Ratify does not compare them.
 */
export function buildThresholdPolicy(
  parameters: Located<unknown>,
  verifierNames: ReadonlySet<string>,
  { notes }: BuildContext,
): void {
  const options = decode(goMap, parameters, 'PolicyParametersType');
  const policy = options?.get('policy');
  if (policy === undefined || policy.value === null) {
    throw new Fault('PolicyRuleMissing', { path: childPath(parameters.path, 'policy'), found: 'no rule' });
  }
  warnOfNames(parameters, PARAMETERS, notes);
  const rules = readRules(policy, notes);
  const [root] = rules;
  if (root !== undefined && root.verifierName !== '') {
    const path = childPath(root.path, 'verifierName');
    throw new Fault('PolicyRootVerifier', { path, found: `the root names ${quote(root.verifierName)}` });
  }
  for (const rule of rules) {
    checkRule(rule);
    const { path, verifierName, threshold } = rule;
    if (verifierName !== '' && !verifierNames.has(verifierName)) {
      notes.warn('PolicyVerifierUnknown', childPath(path, 'verifierName'), quote(verifierName));
    }
    if (!Number.isInteger(threshold))
      notes.warn('ThresholdFraction', childPath(path, 'threshold'), String(threshold));
  }
}

/** All rules of the tree, each before its own ones, in Ratify's order; the first wrong type is a fault. */
function readRules(root: Located<unknown>, notes: BuildNotes): readonly Rule[] {
  const read: Rule[] = [];
  const open: { place: Located<unknown>; siblings: Rule[] }[] = [{ place: root, siblings: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value } = next.place;
    if (!isObject(value)) throw wrongType(next.place, 'a rule');
    warnOfNames(next.place, RULE, notes);
    const verifierName = field({ path, value }, 'verifierName', { is: isString, absent: '' });
    const threshold = field({ path, value }, 'threshold', { is: isNumber, absent: 0 });
    const items = field({ path, value }, 'rules', { is: isList, absent: [] });
    const rules: Rule[] = [];
    const rule = { path, verifierName, threshold, rules };
    read.push(rule);
    next.siblings.push(rule);
    const listPath = childPath(path, 'rules');
    for (const [index, item] of [...items.entries()].toReversed()) {
      open.push({ place: { path: itemPath(listPath, index), value: item }, siblings: rules });
    }
  }
  return read;
}

/** Here, unlike everywhere else, Ratify takes names by their letter: what is spelt in another way does not exist. */
function warnOfNames({ path, value }: Located<unknown>, names: readonly string[], notes: BuildNotes): void {
  for (const key of isObject(value) ? Object.keys(value) : []) {
    if (!names.includes(key)) notes.warn('FieldIgnored', childPath(path, key));
  }
}

const PARAMETERS = ['policy'];
const RULE = ['verifierName', 'threshold', 'rules'];

const isString = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function field<T>(
  { path, value }: Located<Readonly<Record<string, unknown>>>,
  name: string,
  options: { is: (value: unknown) => value is T; absent: T },
): T {
  const given = Object.hasOwn(value, name) ? value[name] : undefined;
  if (given === undefined || given === null) return options.absent;
  if (!options.is(given)) throw wrongType({ path: childPath(path, name), value: given }, name);
  return given;
}

function wrongType({ path, value }: Located<unknown>, wanted: string): Fault {
  return new Fault('PolicyRuleType', { path, found: `${found(value)} as ${wanted}` });
}

function checkRule({ path, verifierName, threshold, rules }: Rule): void {
  const place = childPath(path, 'threshold');
  const whole = Math.trunc(threshold);
  if (whole < 0) throw new Fault('PolicyThresholdNegative', { path: place, found: String(threshold) });
  if (whole > rules.length) {
    throw new Fault('PolicyThresholdTooHigh', {
      path: place,
      found: `${threshold} with ${count(rules.length, 'rule')}`,
    });
  }
  if (verifierName === '' && rules.length === 0) {
    throw new Fault('PolicyRuleEmpty', { path, found: 'a rule without verifier and rules' });
  }
}
