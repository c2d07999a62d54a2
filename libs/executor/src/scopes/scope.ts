import { parseGoAuthority } from '../go/go-url.ts';
import { isRepositoryName } from './repository-name.ts';

/** What can be wrong with one scope; the fault codes of executors and of cosign add their own beginning. */
export type ScopeProblem = {
  readonly kind: 'Empty' | 'Invalid' | 'TagOrDigest' | 'WildcardInvalid';
  /** In words, as a clause about the scope. */
  readonly why: string;
};

/**
 * Checks one scope of an executor or of a cosign trust policy: with a slash a repository, else a registry.
 *
 * @returns what is wrong, or `undefined`.
 */
export function checkScope(scope: string): ScopeProblem | undefined {
  if (scope === '') return { kind: 'Empty', why: 'is empty' };
  return scope.includes('/') ? checkRepository(scope) : checkRegistry(scope);
}

function checkRegistry(scope: string): ScopeProblem | undefined {
  if (!isRegistry(scope)) return { kind: 'Invalid', why: whyNoRegistry(scope) };
  const wildcards = scope.split('*').length - 1;
  if (wildcards === 0 || (wildcards === 1 && scope.startsWith('*.'))) return undefined;
  return {
    kind: 'WildcardInvalid',
    why: wildcards > 1 ? 'has more than one *' : 'has a * that is not a leading *.',
  };
}

function checkRepository(scope: string): ScopeProblem | undefined {
  if (scope.includes('*')) return { kind: 'WildcardInvalid', why: 'is a repository with a *' };
  const slash = scope.indexOf('/');
  const registry = scope.slice(0, slash);
  const { repository, tag, digest } = splitReference(scope.slice(slash + 1));
  if (!isRegistry(registry)) return { kind: 'Invalid', why: whyNoRegistry(registry) };
  if (!isRepositoryName(repository)) return { kind: 'Invalid', why: NO_REPOSITORY };
  return digest === undefined ? checkTag(tag) : checkDigest(digest);
}

const NO_REPOSITORY = 'has a repository name that is not lower-case letters, digits and single separators';

/** An empty tag is accepted, and never matches. */
function checkTag(tag: string | undefined): ScopeProblem | undefined {
  if (tag === undefined || tag === '') return undefined;
  return /^\w[\w.-]{0,127}$/.test(tag) ? TAGGED : { kind: 'Invalid', why: 'has a malformed tag' };
}

/** An empty digest is accepted, and never matches. */
function checkDigest(digest: string): ScopeProblem | undefined {
  if (digest === '') return undefined;
  return isDigest(digest) ? TAGGED : { kind: 'Invalid', why: 'has a malformed digest' };
}

const TAGGED: ScopeProblem = { kind: 'TagOrDigest', why: 'has a tag or digest' };

/** `repository[:tag][@digest]`; a tag before a digest is dropped unseen, as in oras-go. */
function splitReference(path: string) {
  const at = path.indexOf('@');
  const named = at < 0 ? path : path.slice(0, at);
  const colon = named.indexOf(':');
  return {
    repository: colon < 0 ? named : named.slice(0, colon),
    tag: colon < 0 ? undefined : named.slice(colon + 1),
    digest: at < 0 ? undefined : path.slice(at + 1),
  };
}

/** Behind any scheme but http(s), the text must be an authority that is nothing but a host. */
function isRegistry(text: string): boolean {
  // Nearly all are plain; what is left is for Go's parser.
  if (/^[\w.-]+$/.test(text)) return true;
  if (text === '' || hasBlankOrControl(text) || /[?#]/.test(text)) return false;
  return parseGoAuthority(text, 'dummy') === text;
}

function hasBlankOrControl(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code <= 0x20 || code === 0x7f) return true;
  }
  return false;
}

function whyNoRegistry(text: string): string {
  if (text === '') return 'has no registry before the slash';
  if (hasBlankOrControl(text)) return 'has a blank or control character';
  if (text.includes(':') && /\D/.test(text.slice(text.lastIndexOf(':') + 1)))
    return 'has a port that is no number';
  if (text.includes('[')) return 'has brackets that hold no IPv6 address';
  const odd = /[^\w.:\-~!$&'()*+,;="<>\]\u0080-\uffff]/.exec(text)?.[0];
  return odd === undefined ? 'is no registry' : `has the character ${odd}, which no registry has`;
}

// https://github.com/opencontainers/image-spec/blob/v1.1.1/descriptor.md#digests
const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

function isDigest(text: string): boolean {
  const colon = text.indexOf(':');
  const length = HEX_DIGITS.get(text.slice(0, Math.max(colon, 0)));
  const hex = text.slice(colon + 1);
  return length !== undefined && hex.length === length && /^[0-9a-f]*$/.test(hex);
}
