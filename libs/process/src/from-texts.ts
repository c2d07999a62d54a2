import type { Setting } from './config-schema.ts';

/**
 * What the texts given for a setting by flags (several) or by a variable (one) mean: numbers, switches and lists are made of
 * them, and of several the last counts, except in a list. A text that cannot be one is left for the schema to refuse.
 * Without texts: `undefined`.
 */
export function fromTexts(setting: Setting, texts: readonly string[]): unknown {
  const last = texts.at(-1);
  if (last === undefined) return undefined;
  if (setting.type !== 'array') return fromText(setting.type, last);
  const parts = texts.flatMap((text) => text.split(','));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function fromText(type: Exclude<Setting['type'], 'array'>, text: string): unknown {
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return SWITCHES.get(text) ?? text;
  }
}

const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);
