/**
 * Whether `text` is a repository name of the distribution rules: components of lower-case letters and digits, with
 * single `.`, `_`, `__` or any run of `-` between, joined by `/`. Written out instead of the usual pattern, whose
 * nested repetition is not linear.
 *
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pulling-manifests
 */
export function isRepositoryName(text: string): boolean {
  return text.split('/').every(isComponent);
}

/** Runs of letters and digits with separators between; the first and the last run are not empty. */
function isComponent(text: string): boolean {
  if (/^[a-z0-9]+$/.test(text)) return true;
  // Splitting by runs leaves separators at odd places.
  const parts = text.split(/([a-z0-9]+)/);
  const separators = parts.filter((_, index) => index % 2 === 0);
  const inner = separators.slice(1, -1);
  return parts.length > 1 && parts[0] === '' && parts.at(-1) === '' && inner.every(isSeparator);
}

const isSeparator = (text: string) => /^(?:\.|__?|-+)$/.test(text);
