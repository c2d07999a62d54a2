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

function isComponent(text: string): boolean {
  let separator = '';
  // Begins as if behind a separator: an alphanumeric must come first.
  let afterAlphanumeric = false;
  for (const char of text) {
    if (isAlphanumeric(char)) {
      if (separator !== '' && !(afterAlphanumeric && isSeparator(separator))) return false;
      separator = '';
      afterAlphanumeric = true;
    } else {
      separator += char;
      if (!isSeparatorStart(separator)) return false;
    }
  }
  return afterAlphanumeric && separator === '';
}

const isAlphanumeric = (char: string) => (char >= 'a' && char <= 'z') || (char >= '0' && char <= '9');
const isSeparator = (text: string) => text === '.' || text === '_' || text === '__' || text.startsWith('-');

/** Whether `text`, built one character at a time, can still become a separator. */
function isSeparatorStart(text: string): boolean {
  return isSeparator(text) && (!text.startsWith('-') || text.endsWith('-'));
}
