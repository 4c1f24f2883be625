import { AppError } from "../../../contracts/errors.ts";
import { type Exchange, hasBody } from "../http/exchange.ts";
import { parseForm } from "./delivery.ts";
import { parseJson } from "./json.ts";

/** A kind of body, recognised by its media type: the part of Content-Type before the parameters. */
interface BodyKind {
  type: RegExp;
  /** True if the kind may have any charset. */
  anyCharset?: boolean;
  /** `type` is the value of Content-Type. */
  parse: (bytes: Buffer, type: string) => unknown;
}

/**
 * JSON is UTF-8 (RFC 8259, section 8.1), and so are forms (WHATWG URL, section 5.1), so any other charset is refused.
 */
const CHARSET = /^[^;]*(;(?!.*charset)|;\s*charset\s*=\s*"?utf-?8"?\s*(;|$)|$)/i;

const json: BodyKind = { type: /^\s*application\/json\s*$/i, parse: parseJson };

const form: BodyKind = { type: /^\s*application\/x-www-form-urlencoded\s*$/i, parse: parseForm };

/** The kinds of bodies that the API accepts. */
export const JSON_ONLY: readonly BodyKind[] = [json];
export const FORM_ONLY: readonly BodyKind[] = [form];
const CHARSET_NAME = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i;

/** @throws {AppError} unsupported_media_type when the charset is unknown, or the bytes are not text in it */
function parseText(bytes: Buffer, type: string): string {
  const charset = CHARSET_NAME.exec(type)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("unsupported_media_type", { detail: `The body is not text in the charset ${charset}.` });
  }
}

/**
 * The kinds of bodies that senders of webhooks use: plain JSON, `application/cloudevents+json` and similar types,
 * forms, text and XML.
 */
export const DELIVERY: readonly BodyKind[] = [
  json,
  { type: /^\s*application\/[\w.+-]+\+json\s*$/i, parse: parseJson },
  form,
  { type: /^\s*(text\/[\w.+-]+|application\/([\w.+-]+\+)?xml)\s*$/i, anyCharset: true, parse: parseText },
];

/** The client disconnected before its request was complete, so no response can be sent. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

/** Whether a body has one of these types, whatever its charset. */
export const hasKind = ({ req }: Exchange, kinds: readonly BodyKind[]): boolean => {
  const [type = ""] = (req.headers["content-type"] ?? "").split(";", 1);
  return kinds.some(kind => kind.type.test(type));
};

function kindOf({ req }: Exchange, kinds: readonly BodyKind[]): BodyKind | undefined {
  const given = req.headers["content-type"] ?? "";
  const [type = ""] = given.split(";", 1);
  const kind = kinds.find(one => one.type.test(type));
  return kind?.anyCharset || CHARSET.test(given) ? kind : undefined;
}

/** @throws {AppError} unsupported_media_type when the body is compressed */
export function refuseCompressed({ req }: Exchange): void {
  const encoding = req.headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return;
  throw new AppError("unsupported_media_type", { detail: "Compressed bodies are not supported." });
}

/** A list of the accepted types, for the error about an unsupported type. */
function takenText(kinds: readonly BodyKind[], files: readonly string[]): string | undefined {
  if (files.length > 0) return `Send JSON, or a file of one of these types: ${files.join(", ")}.`;
  return kinds === DELIVERY ? "JSON and forms are sent as UTF-8." : undefined;
}

function checkMedia(x: Exchange, kinds: readonly BodyKind[], files: readonly string[]): void {
  refuseCompressed(x);
  if (kindOf(x, kinds)) return;
  const detail = takenText(kinds, files);
  throw new AppError("unsupported_media_type", { ...(detail && { detail }) });
}

export const tooLarge = (limit: number) =>
  new AppError("payload_too_large", { detail: `The body is limited to ${limit} bytes.` });

/** Requests a body that the client holds back until the server asks for it (`Expect: 100-continue`). */
export function askForBody({ req, res }: Exchange): void {
  if (req.headers.expect === undefined) return;
  res.writeContinue();
  // From here on the body arrives like any other.
  delete req.headers.expect;
}

/** All bytes of the body. A chunked body may turn out to be empty, so its type is checked at the first byte. */
function bytesOf({ req }: Exchange, limit: number, checkType: () => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (fault?: Error) => {
      req.off("data", onData).off("end", settle).off("close", onClose).off("error", onClose);
      // Without a listener, a late error would end the process. It no longer changes anything.
      req.on("error", () => {});
      if (fault) return reject(fault);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    };
    const onClose = () => settle(new ClientGone());
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      try {
        if (size === chunk.length) checkType();
        if (size > limit) throw tooLarge(limit);
      } catch (fault) {
        return settle(fault as AppError);
      }
      chunks.push(chunk);
    };
    req.on("data", onData).once("end", settle).once("close", onClose).once("error", onClose);
  });
}

/**
 * The bytes of a request's body; undefined if it is empty. Keeps at most `limit` bytes. `files` are further accepted
 * types, which other code reads.
 * @throws {AppError} unsupported_media_type or payload_too_large
 */
export async function readBytes(
  x: Exchange,
  limit: number,
  kinds: readonly BodyKind[],
  files: readonly string[] = [],
): Promise<Buffer | undefined> {
  const { req } = x;
  if (!hasBody(req)) return undefined;
  const checkType = () => checkMedia(x, kinds, files);
  const length = Number(req.headers["content-length"] ?? 0);
  if (length > 0) checkType();
  if (length > limit) throw tooLarge(limit);
  askForBody(x);
  const bytes = await bytesOf(x, limit, checkType);
  return bytes.length > 0 ? bytes : undefined;
}

/**
 * The value of a body; undefined if it is empty.
 * @throws the error of the parser
 */
export const parseBody = (x: Exchange, bytes: Buffer | undefined, kinds: readonly BodyKind[]): unknown =>
  bytes && kindOf(x, kinds)?.parse(bytes, x.req.headers["content-type"] ?? "");

/**
 * The value of a request's body; undefined if it is empty.
 * @throws {AppError} the errors of `readBytes` and `parseBody`
 */
export async function readBody(
  x: Exchange,
  limit: number,
  kinds: readonly BodyKind[] = JSON_ONLY,
  files: readonly string[] = [],
): Promise<unknown> {
  return parseBody(x, await readBytes(x, limit, kinds, files), kinds);
}
