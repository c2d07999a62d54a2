/** `path.key`, or `path["key"]` when the key would be misread otherwise. */
export function childPath(path: string, key: string): string {
  return /^[^\s.[\]"'\\]+$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

/** `path[index]`. */
export function itemPath(path: string, index: number): string {
  return `${path}[${index}]`;
}
