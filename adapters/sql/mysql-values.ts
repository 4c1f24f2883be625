import { exactInteger, exactJson } from "./exact-json.ts";

/** The metadata of a result's column. */
export interface MysqlColumn {
  name: string;
  columnType: number;
  /** `json` for columns of MariaDB with JSON texts. */
  extendedFormat?: string | undefined;
}

type Read = (value: unknown) => unknown;

/** Numbers of column types (MySQL, "Protocol::ColumnType"). */
const FLOAT = 4;
const TIMESTAMP = 7;
const DATETIME = 12;
const BIT = 16;
const JSON_TYPE = 245;
/** The possible lengths of the shortest decimal form of a four-byte float. */
const FLOAT_DIGITS = [6, 7, 8, 9];

/** Formats a four-byte float with its own digits, instead of the digits of an eight-byte float. */
const shortest: Read = value => {
  const digits = FLOAT_DIGITS.find(count => Math.fround(Number((value as number).toPrecision(count))) === value);
  return digits === undefined ? value : Number((value as number).toPrecision(digits));
};

const moment =
  (zone: "" | "Z"): Read =>
  value =>
    typeof value === "string" && /^\d{4}-\d\d-\d\d \d/.test(value) ? `${value.replace(" ", "T")}${zone}` : value;

/** Bytes become base64. */
const other: Read = value => (Buffer.isBuffer(value) ? value.toString("base64") : value);
/** The most bytes of a BIT. A server may send more, but the digits of so long a number take quadratic time. */
const BIT_BYTES = 8;

const bits: Read = value =>
  Buffer.isBuffer(value) && value.length <= BIT_BYTES
    ? exactInteger(BigInt(`0x${value.toString("hex") || "0"}`).toString())
    : other(value);
const json: Read = value => (typeof value === "string" ? exactJson(value) : value);

function readerOf({ columnType, extendedFormat }: MysqlColumn): Read {
  if (columnType === JSON_TYPE || extendedFormat === "json") return json;
  if (columnType === FLOAT) return shortest;
  if (columnType === TIMESTAMP) return moment("Z");
  if (columnType === DATETIME) return moment("");
  return columnType === BIT ? bits : other;
}

/** Returns a function that reads the values of a row according to its columns. */
export function mysqlReader(columns: readonly MysqlColumn[]): (values: readonly unknown[]) => unknown[] {
  const readers = columns.map(readerOf);
  return values => values.map((value, at) => (value === null ? null : (readers[at] ?? other)(value)));
}
