/** The first 48 bits of a UUIDv7 are milliseconds since 1970 (RFC 9562, section 5.7), so its ids sort by time. */
const TIME_DIGITS = 12;
/** The largest 48-bit number. */
const MAX_MS = 2 ** 48 - 1;

/** The lowest UUIDv7 of this moment. Ids that are made then or later are not below it. */
export function firstIdAt(time: Date): string {
  const ms = Math.min(Math.max(time.getTime(), 0), MAX_MS);
  const digits = ms.toString(16).padStart(TIME_DIGITS, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** The time at which a UUIDv7 was made. */
export const timeOfId = (id: string): Date => new Date(parseInt(id.replace("-", "").slice(0, TIME_DIGITS), 16));
