import { AppError } from "../../contracts/errors.ts";
import { type Exchange, hasBody } from "./exchange.ts";
import { parseJson } from "./json.ts";

/** JSON is UTF-8 (RFC 8259, section 8.1), so no other charset is taken. */
const JSON_TYPE = /^\s*application\/json\s*(;(?!.*charset)|;\s*charset\s*=\s*"?utf-?8"?\s*(;|$)|$)/i;

/** The client went away before its request was whole; there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

function mediaFault({ req }: Exchange): AppError | undefined {
  const encoding = req.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    return new AppError("unsupported_media_type", { detail: "Compressed bodies are not taken." });
  }
  return JSON_TYPE.test(req.headers["content-type"] ?? "") ? undefined : new AppError("unsupported_media_type");
}

const tooLarge = (limit: number) =>
  new AppError("payload_too_large", { detail: `A body may have up to ${limit} bytes.` });

/** All bytes of the body. A chunked one may turn out to be empty, so its type is judged at the first byte. */
function bytesOf(x: Exchange, limit: number): Promise<Buffer> {
  const { req } = x;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (fault?: Error) => {
      req.off("data", onData).off("end", settle).off("close", onClose).off("error", onClose);
      // Somebody has to hear of an error that comes later; it changes nothing any more.
      req.on("error", () => {});
      if (fault) return reject(fault);
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    };
    const onClose = () => settle(new ClientGone());
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      const fault = (size === chunk.length && mediaFault(x)) || (size > limit && tooLarge(limit));
      if (fault) return settle(fault);
      chunks.push(chunk);
    };
    req.on("data", onData).once("end", settle).once("close", onClose).once("error", onClose);
  });
}

/**
 * The JSON value of a request's body; undefined when it is empty. Not a byte more than `limit` is kept.
 * @throws AppError unsupported_media_type, payload_too_large, or what `parseJson` throws
 */
export async function readBody(x: Exchange, limit: number): Promise<unknown> {
  const { req, res } = x;
  if (!hasBody(req)) return undefined;
  const length = Number(req.headers["content-length"] ?? 0);
  if (length > 0) {
    const fault = mediaFault(x);
    if (fault) throw fault;
  }
  if (length > limit) throw tooLarge(limit);
  if (req.headers.expect !== undefined) {
    res.writeContinue();
    // From here on the body is on its way like any other.
    delete req.headers.expect;
  }
  const bytes = await bytesOf(x, limit);
  return bytes.length > 0 ? parseJson(bytes) : undefined;
}
