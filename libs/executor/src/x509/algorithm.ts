import { type DerReader } from './der.ts';
import { readOid } from './der-values.ts';

/** An algorithm identifier: its name and its parameters as they stand, empty when absent. */
export interface Algorithm {
  readonly oid: string;
  readonly parameters: Buffer;
}

/** Reads the inside of an algorithm identifier. */
export function readAlgorithm(reader: DerReader): Algorithm {
  const oid = readOid(reader);
  return { oid, parameters: reader.empty ? Buffer.alloc(0) : reader.any().whole };
}

/** DER of NULL. */
export const NULL_PARAMETERS: Buffer = Buffer.from([0x05, 0x00]);
