import { isUtf8 } from "node:buffer";

const MAX_CHARS = 2_000;
/** A parameter: a token, or a quoted string with its escapes (RFC 9110, section 5.6.6). */
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g;
/** `charset'language'percent-encoded` (RFC 8187, section 3.2.1). */
const EXTENDED = /^(utf-8|iso-8859-1)'[\w-]*'((?:%[\da-f]{2}|[\w!#$&+.^`|~-])+)$/i;

/** Headers are bytes. Bytes that are not UTF-8 are decoded as Latin 1, the former rule of HTTP. */
function readable(header: string): string {
  const bytes = Buffer.from(header, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : header;
}

function extended(value: string): string | undefined {
  const [, charset = "", text = ""] = EXTENDED.exec(value) ?? [];
  if (charset === "") return undefined;
  const bytes = Buffer.from(
    text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    "latin1",
  );
  if (charset.toLowerCase() !== "utf-8") return bytes.toString("latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/**
 * The file name in Content-Disposition (RFC 6266). `filename*` has precedence over `filename`, and folders of the
 * sender's machine are removed. Undefined if the header has none.
 */
export function fileNameOf(disposition: string | undefined): string | undefined {
  if (disposition === undefined || disposition.length > MAX_CHARS) return undefined;
  const found = new Map<string, string>();
  for (const [, name = "", quoted, token = ""] of disposition.matchAll(PARAMETER)) {
    found.set(name.toLowerCase(), quoted === undefined ? token : quoted.replace(/\\(.)/g, "$1"));
  }
  const plain = found.get("filename");
  const name = extended(found.get("filename*") ?? "") ?? (plain === undefined ? undefined : readable(plain));
  return name?.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1).trim() || undefined;
}
