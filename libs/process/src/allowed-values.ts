import type { ListSetting, NumberSetting, Setting, TextSetting } from './config-schema.ts';

/** What may stand in a setting, as the end of "must be …": `a whole number from 0 to 65535`. */
export function allowedValues(setting: Setting): string {
  switch (setting.type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
    case 'number':
      return numbers(setting);
    case 'array':
      return texts(setting);
    case 'string':
      return setting.format === 'duration' ? durations(setting) : text(setting);
  }
}

function numbers({ type, minimum, maximum }: NumberSetting): string {
  return (type === 'integer' ? 'a whole number' : 'a number') + range(minimum, maximum);
}

function texts({ items, minItems }: ListSetting): string {
  const least = minItems === undefined ? '' : `at least ${minItems} of `;
  return `a list: ${least}${items.enum?.join(', ') ?? shape(items.pattern)}`;
}

function durations({ 'x-min': min, 'x-max': max }: TextSetting): string {
  const limits = range(min, max);
  return `a duration such as 500ms, 60s or 1h30m${limits && `,${limits}`}`;
}

function text(setting: TextSetting): string {
  if (setting.enum !== undefined) return `one of ${setting.enum.join(', ')}`;
  return setting.pattern === undefined && setting.minLength !== undefined
    ? 'a text that is not empty'
    : shape(setting.pattern);
}

function shape(pattern: string | undefined): string {
  return pattern === undefined ? 'text' : `text like \`${pattern}\``;
}

function range(min: string | number | undefined, max: string | number | undefined): string {
  if (min === undefined) return max === undefined ? '' : ` of at most ${max}`;
  return max === undefined ? ` of at least ${min}` : ` from ${min} to ${max}`;
}
