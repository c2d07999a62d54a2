/** Most characters of one name in a path; a name may be as long as the spec. */
const MAX_KEY_CHARS = 100;

/** `path.key`, or `path["key"]` when the key would be misread otherwise. A very long key is cut. */
export function childPath(path: string, key: string): string {
  if (key.length > MAX_KEY_CHARS)
    return `${path}[${JSON.stringify(`${key.slice(0, MAX_KEY_CHARS).toWellFormed()}…`)}]`;
  return /^[^\s.[\]"'\\]+$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/** `path[index]`. */
export function itemPath(path: string, index: number): string {
  return `${path}[${index}]`;
}
