/** A name that cannot be packed, or a text that was not packed by `dashPack`. */
export class DashPackError extends Error {
  override readonly name = 'DashPackError';
}

/**
 * Joins `parts` to one name from which `dashUnpack` gets them back: inside a part every `-` becomes `--`, and
 * parts are joined with one `-`. One-to-one, because no part begins or ends with a dash.
 *
 * @throws {DashPackError} without parts, or for a part that is empty or begins or ends with a dash.
 * @see open-policy-agent/gatekeeper, DashPacker: the rule, and the golden pairs of the test.
 */
export function dashPack(...parts: readonly string[]): string {
  if (parts.length === 0) throw new DashPackError('cannot pack a name: no parts given');
  const wrong = parts.find((part) => part === '' || part.startsWith('-') || part.endsWith('-'));
  if (wrong !== undefined) {
    throw new DashPackError(
      `cannot pack ${JSON.stringify(wrong)}: a part must not be empty, nor begin or end with a dash`,
    );
  }
  return parts.map((part) => part.replaceAll('-', '--')).join('-');
}

/**
 * The parts that `dashPack` joined to `packed`. Does not undo the overflow rule of `reportName`.
 *
 * @throws {DashPackError} if `dashPack` cannot have made `packed`.
 */
export function dashUnpack(packed: string): string[] {
  const parts: string[] = [''];
  for (let at = 0; at < packed.length; at++) {
    const last = parts.length - 1;
    if (packed[at] !== '-') parts[last] += packed.charAt(at);
    else if (packed[at + 1] !== '-') parts.push('');
    else {
      parts[last] += '-';
      at++;
    }
  }
  if (!isPacking(parts, packed)) throw new DashPackError(`${JSON.stringify(packed)} is not a packed name`);
  return parts;
}

function isPacking(parts: readonly string[], packed: string): boolean {
  try {
    return dashPack(...parts) === packed;
  } catch {
    return false; // The only error is DashPackError: parts that no packing has.
  }
}
