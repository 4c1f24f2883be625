import { pipeline, type Transform } from "node:stream";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { OutboundError } from "./outbound-error.ts";

const gunzip = promisify(zlib.gunzip);
const inflate = promisify(zlib.inflate);
const inflateRaw = promisify(zlib.inflateRaw);
const brotli = promisify(zlib.brotliDecompress);

/** The encodings that `decodeBody` supports, as an Accept-Encoding header. */
export const ENCODINGS = "gzip, deflate, br";
const MAX_ENCODINGS = 2;

type Decoder = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ["gzip", gunzip],
  ["x-gzip", gunzip],
  ["br", brotli],
  // Some servers send deflate without its zlib header.
  ["deflate", (body, options) => (((body[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(body, options)],
  ["identity", body => Promise.resolve(body)],
]);

export const tooLarge = (maxBytes: number) =>
  new OutboundError("response_too_large", `The answer is larger than ${maxBytes} bytes`);

/**
 * Reads the whole body.
 * @throws {OutboundError} `response_too_large` when it exceeds `maxBytes`.
 */
export async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(chunk);
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, size);
}

/** The encodings of a Content-Encoding header, in the order of decoding. */
export function encodingsOf(header: string | undefined): string[] {
  const names = (header ?? "").split(",").map(name => name.trim().toLowerCase());
  return names.filter(name => name !== "" && name !== "identity").reverse();
}

/**
 * Decodes a body. `maxBytes` limits the output of each encoding, so that a small answer cannot expand without limit.
 */
export async function decodeBody(
  body: Uint8Array,
  encodings: readonly string[],
  maxBytes: number,
): Promise<Uint8Array> {
  if (body.length === 0) return body;
  if (encodings.length > MAX_ENCODINGS)
    throw new OutboundError("outbound_failed", "The answer is encoded too many times");
  let decoded = body;
  for (const name of encodings) {
    const decode = DECODERS.get(name);
    if (!decode)
      throw new OutboundError("outbound_failed", `The answer has the unknown encoding "${name.slice(0, 40)}"`);
    try {
      decoded = await decode(decoded, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
      throw new OutboundError("outbound_failed", `The answer is not valid ${name}`, { cause: error });
    }
  }
  return decoded;
}

const STREAMED: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  br: () => zlib.createBrotliDecompress(),
  deflate: first => ((first & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
};

async function* decodedBy(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const make = STREAMED[name];
  if (!make) throw new OutboundError("outbound_failed", `The answer has the unknown encoding "${name.slice(0, 40)}"`);
  const source = chunks[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done) return;
  const { value: begin } = first;
  let failure: Error | undefined;
  async function* whole() {
    try {
      yield begin;
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      await source.return?.();
    }
  }
  const decoder = make(begin[0] ?? 0);
  // The iteration below throws the error.
  pipeline(whole, decoder, () => undefined);
  try {
    yield* decoder as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw failure ?? new OutboundError("outbound_failed", `The answer is not valid ${name}`, { cause: error });
  }
}

/**
 * Decodes a body as it arrives.
 * @throws {OutboundError} while iterating: outbound_failed when the body is not valid; also the error of `chunks`
 */
export function decodedStream(
  chunks: AsyncIterable<Uint8Array>,
  encodings: readonly string[],
): AsyncIterable<Uint8Array> {
  if (encodings.length > MAX_ENCODINGS)
    throw new OutboundError("outbound_failed", "The answer is encoded too many times");
  return encodings.reduce((body, name) => decodedBy(name, body), chunks);
}
