import type { ByteRange } from "../../../adapters/files/port.ts";

const RANGE = /^bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i;

/**
 * The range of a Range header (RFC 9110, section 14.2). Null stands for the whole: the header is absent, not valid, or
 * names several ranges, which a server may ignore.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = RANGE.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { from: size - length, to: size };
  }
  const from = Number(first);
  if (last !== "" && Number(last) < from) return null;
  if (from >= size) return "unsatisfiable";
  return { from, to: last === "" ? size : Math.min(size, Number(last) + 1) };
}

/** Whether the part that a client has is of this version. A date never is: files have no Last-Modified. */
export const ifRangeHolds = (header: string | undefined, etag: string): boolean =>
  header === undefined || header.trim() === etag;
