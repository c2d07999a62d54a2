import { DerError, type DerReader, TAG } from './der.ts';

/** A point in time: UTCTime (also without seconds) or GeneralizedTime, with `Z` or an offset, as Go reads them. */
export function readTime(reader: DerReader): Date {
  if (reader.nextIs(TAG.utcTime)) {
    const match = UTC_TIME.exec(reader.read(TAG.utcTime).toString('latin1'));
    if (match === null) throw new DerError('malformed UTCTime');
    const year = Number(match[1]);
    return dateOf(year >= 50 ? 1900 + year : 2000 + year, match);
  }
  const match = GENERALIZED_TIME.exec(reader.read(TAG.generalizedTime).toString('latin1'));
  if (match === null) throw new DerError('malformed GeneralizedTime');
  return dateOf(Number(match[1]), match);
}

const REST = '(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)';
const ZONE = '(Z|[+-]\\d{4})$';
const UTC_TIME = new RegExp(`^(\\d\\d)${REST}(\\d\\d)?${ZONE}`);
const GENERALIZED_TIME = new RegExp(`^(\\d{4})${REST}(\\d\\d)${ZONE}`);

/** Throws when the parts are no date: 30 February, 25 o'clock, an offset of zero written as digits. */
function dateOf(year: number, match: RegExpExecArray): Date {
  // A UTCTime may leave the seconds out.
  const parts = match.slice(2, 7).map((part) => (part ?? '00').padStart(2, '0'));
  const [month, day, hour, minute, second] = parts;
  const written = `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const date = new Date(written);
  // 30 February and 24 o'clock give another date than was written, or none.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== written) throw new DerError('no such date');
  return new Date(date.getTime() - offsetMinutes(match[7] ?? 'Z') * 60_000);
}

function offsetMinutes(zone: string): number {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3));
  const total = hours * 60 + minutes;
  if (hours > 24 || minutes >= 60 || total === 0) throw new DerError('no such time zone');
  return zone.startsWith('-') ? -total : total;
}
