import { createHash, createHmac } from "node:crypto";
import jsonata from "jsonata";
import { CsvFault, type CsvOptions, parseCsv, toCsv } from "../../core/expressions/csv.ts";
import { addTime, DateFault, formatDate, parseDate } from "../../core/expressions/dates.ts";
import { ExpressionError } from "../../core/expressions/expression-error.ts";
import type { FunctionContext } from "../../core/expressions/function-context.ts";
import { isObject } from "../../core/json.ts";
import { resumeToken } from "./resume-token.ts";

const ALGORITHMS = ["md5", "sha1", "sha256", "sha384", "sha512"];
const ENCODINGS = ["hex", "base64", "base64url"] as const;
type Encoding = (typeof ENCODINGS)[number];

const wrong = (message: string): never => {
  throw new ExpressionError("expression_error", message);
};

function text(name: string, value: unknown, what: string): string {
  return typeof value === "string" ? value : wrong(`$${name}: ${what} must be text`);
}
const optionalText = (name: string, value: unknown, what: string): string | undefined =>
  value === undefined || value === null ? undefined : text(name, value, what);

/** The text to hash: text as it is, any other value as JSON. */
const hashed = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function ways(name: string, algorithm: unknown, encoding: unknown): { algorithm: string; encoding: Encoding } {
  const by = optionalText(name, algorithm, "the algorithm") ?? "sha256";
  const as = (optionalText(name, encoding, "the encoding") ?? "hex") as Encoding;
  if (!ALGORITHMS.includes(by)) wrong(`$${name}: the algorithm is not one of ${ALGORITHMS.join(", ")}`);
  if (!ENCODINGS.includes(as)) wrong(`$${name}: the encoding is not one of ${ENCODINGS.join(", ")}`);
  return { algorithm: by, encoding: as };
}

function jwtPart(part: string | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(part ?? "", "base64url").toString("utf8"));
  } catch {
    return wrong("$jwtDecode: the text is not a JSON Web Token");
  }
}

function jwtDecode(token: unknown): unknown {
  const parts = text("jwtDecode", token, "the token").split(".");
  if (parts.length !== 3) wrong("$jwtDecode: the text is not a JSON Web Token");
  return { header: jwtPart(parts[0]), payload: jwtPart(parts[1]) };
}

function url(address: unknown, base: unknown): unknown {
  const [given, from] = [text("url", address, "the address"), optionalText("url", base, "the base")];
  const parsed = URL.parse(given, from) ?? wrong(`$url: "${given.slice(0, 100)}" is not an address`);
  const { href, origin, protocol, username, host, hostname, port, pathname, hash } = parsed;
  const query: [string, string | string[]][] = [...new Set(parsed.searchParams.keys())].map(key => {
    const values = parsed.searchParams.getAll(key);
    return [key, values.length === 1 ? values[0]! : values];
  });
  const path = { href, origin, protocol: protocol.slice(0, -1), username, host, hostname, port, path: pathname };
  return { ...path, query: Object.fromEntries(query), hash: hash.slice(1) };
}

function csv(value: unknown, options: unknown): unknown {
  const given = (isObject(options) ? options : {}) as CsvOptions;
  if (given.delimiter !== undefined && (typeof given.delimiter !== "string" || given.delimiter.length !== 1))
    wrong("$csv: the delimiter must be one character");
  const read = { ...(given.delimiter !== undefined && { delimiter: given.delimiter }), header: given.header !== false };
  if (typeof value === "string") return parseCsv(value, read);
  return toCsv(Array.isArray(value) ? value : [value], read);
}

/** A UUID in the form of version 4, derived from a text. The same text always gives the same UUID. */
function derivedUuid(seed: string): string {
  const bytes = createHash("sha256").update(seed).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The address that ends the wait of a step of this run when it is called. */
function resumeUrl(resume: FunctionContext["resume"], nodeId: string): string {
  if (!resume) return wrong("$resumeUrl: there is no run here");
  const { base, path, depths, ...run } = resume;
  const depth = Object.hasOwn(depths, nodeId) ? depths[nodeId]! : 0;
  return base + resumeToken({ ...run, nodeId, path: path.slice(0, depth) });
}

const iso = (ms: number): string => new Date(ms).toISOString();
const inPicture = jsonata("$fromMillis(ms, picture, timezone)");

type Own = (...given: unknown[]) => unknown;

/**
 * Wraps a function. A missing first argument gives no value, as with JSONata's own functions. Faults become errors of
 * expressions.
 */
function checked(name: string, needed: number, act: Own): Own {
  const own: Own & { arity?: number } = (...given) => {
    if (needed > 0 && given[0] === undefined) return undefined;
    try {
      return act(...given);
    } catch (error) {
      if (error instanceof DateFault || error instanceof CsvFault) return wrong(`$${name}: ${error.message}`);
      throw error;
    }
  };
  // Functions such as $map pass this number of arguments, and their second argument is an index.
  own.arity = needed;
  return own;
}

/** The functions for one expression that Weft adds to JSONata, or that replace JSONata's functions of the time. */
export function ownFunctions(moment: FunctionContext): Record<string, Own> {
  let made = 0;
  const zone = (name: string, value: unknown) => optionalText(name, value, "the time zone");
  const functions: Record<string, [needed: number, act: Own]> = {
    hash: [
      1,
      (value, algorithm, encoding) => {
        const way = ways("hash", algorithm, encoding);
        return createHash(way.algorithm).update(hashed(value)).digest(way.encoding);
      },
    ],
    hmac: [
      2,
      (value, key, algorithm, encoding) => {
        const way = ways("hmac", algorithm, encoding);
        const secret = text("hmac", key, "the key");
        return createHmac(way.algorithm, secret).update(hashed(value)).digest(way.encoding);
      },
    ],
    uuid: [0, () => derivedUuid(`${moment.seed}/${made++}`)],
    jwtDecode: [1, jwtDecode],
    url: [1, url],
    csv: [1, csv],
    formatDate: [
      2,
      (value, format, timezone) =>
        formatDate(value, text("formatDate", format, "the format"), zone("formatDate", timezone)),
    ],
    parseDate: [
      1,
      (value, format, timezone) =>
        iso(
          parseDate(
            text("parseDate", value, "the first argument"),
            optionalText("parseDate", format, "the format"),
            zone("parseDate", timezone),
          ),
        ),
    ],
    addTime: [
      3,
      (value, amount, unit, timezone) => {
        if (typeof amount !== "number") wrong("$addTime: the amount must be a number");
        return iso(addTime(value, amount as number, text("addTime", unit, "the unit"), zone("addTime", timezone)));
      },
    ],
    resumeUrl: [1, nodeId => resumeUrl(moment.resume, text("resumeUrl", nodeId, "the id of the step"))],
    now: [
      0,
      (picture, timezone) =>
        picture === undefined && timezone === undefined
          ? iso(moment.now)
          : inPicture.evaluate({ ms: moment.now, picture, timezone }),
    ],
    millis: [0, () => moment.now],
  };
  return Object.fromEntries(
    Object.entries(functions).map(([name, [needed, act]]) => [name, checked(name, needed, act)]),
  );
}

const NAMES = new RegExp(`\\$(?:${Object.keys(ownFunctions({ now: 0, seed: "" })).join("|")})\\b`);

/** True if an expression may call one of `ownFunctions`. It cannot call a function whose name is not in its source. */
export const mayCallOwnFunctions = (source: string): boolean => NAMES.test(source);
