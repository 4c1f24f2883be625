import type { CustomTypesConfig } from "pg";
import { exactInteger, exactJson, finite } from "./exact-json.ts";

type Read = (text: string) => unknown;

/**
 * Converts `2026-05-01 12:30:00.5+00` to `2026-05-01T12:30:00.5Z`. Sessions are in UTC. `infinity` and years BC stay
 * unchanged.
 */
export const readTimestamp: Read = text => {
  const [, date, time, zone = ""] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(\+00)?$/.exec(text) ?? [];
  return date === undefined ? text : `${date}T${time}${zone && "Z"}`;
};

/** Converts `\x` and hexadecimal to base64. */
const readBytes: Read = text => (text.startsWith("\\x") ? Buffer.from(text.slice(2), "hex").toString("base64") : text);

/**
 * How types are read, by the number (OID) of the type and of its list. All other types are read as text, which loses
 * nothing.
 */
const READS: readonly [type: number, list: number, read: Read][] = [
  [16, 1000, text => text === "t"],
  [17, 1001, readBytes],
  [20, 1016, exactInteger],
  [21, 1005, Number],
  [23, 1007, Number],
  [26, 1028, Number],
  [114, 199, exactJson],
  [700, 1021, finite],
  [701, 1022, finite],
  [1114, 1115, readTimestamp],
  [1184, 1185, readTimestamp],
  [3802, 3807, exactJson],
];

/** Lists of texts, names, uuids, dates, numerics and the like. */
const TEXT_LISTS = [1002, 1003, 1009, 1014, 1015, 1041, 1182, 1183, 1187, 1231, 1270, 2951, 3643];

/** Returns the readers of all types. `array` reads a PostgreSQL list and passes each item to a function. */
export function postgresTypes(array: (text: string, read: Read) => unknown): CustomTypesConfig {
  const readers = new Map<number, Read>();
  for (const [type, list, read] of READS) {
    readers.set(type, read);
    readers.set(list, text => array(text, read));
  }
  for (const list of TEXT_LISTS) readers.set(list, text => array(text, item => item));
  const asItIs: Read = text => text;
  return { getTypeParser: (oid: number) => readers.get(oid) ?? asItIs };
}
