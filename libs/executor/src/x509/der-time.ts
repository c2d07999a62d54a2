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
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(2, 7)
    .map((part) => Number(part ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const same =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  if (!same) throw new DerError('no such date');
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
