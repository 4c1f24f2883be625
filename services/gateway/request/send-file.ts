import type { ServiceBroker } from "moleculer";
import type { ServerResponse } from "node:http";
import type { ByteRange, Bytes } from "../../../adapters/files/port.ts";
import { call } from "../../../contracts/call.ts";
import { AppError } from "../../../contracts/errors.ts";
import type { Files, Located } from "../../../service-kit/files.ts";
import type { Exchange } from "../http/exchange.ts";
import { noneMatchNames } from "../http/etag.ts";
import { UNTRUSTED_HEADERS } from "../http/security-headers.ts";
import { ClientGone } from "./body.ts";
import type { Input } from "./input.ts";

const RANGE = /^bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i;

/**
 * The range of a Range header (RFC 9110, section 14.2). Null means the whole file: the header is absent, not valid, or
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

/**
 * Whether the part that a client has belongs to this version. A date never matches, because files have no
 * Last-Modified.
 */
export const ifRangeHolds = (header: string | undefined, etag: string): boolean =>
  header === undefined || header.trim() === etag;

/** A client that reads nothing for this long is disconnected. */
const STALL_MS = 30_000;

/** An attachment with this name (RFC 6266): in ASCII for old clients, and in UTF-8. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

const header = (x: Exchange, name: string): string | undefined => {
  const value = x.req.headers[name];
  return typeof value === "string" ? value : undefined;
};

/** @throws {AppError} range_not_satisfiable */
function rangeOf(x: Exchange, etag: string, size: number): ByteRange | null {
  if (!ifRangeHolds(header(x, "if-range"), etag)) return null;
  const range = byteRange(header(x, "range"), size);
  if (range !== "unsatisfiable") return range;
  x.headers.push("Content-Range", `bytes */${size}`);
  throw new AppError("range_not_satisfiable", { detail: `The file has ${size} bytes.` });
}

/**
 * Waits until the client has read what was written.
 * @throws {ClientGone} when it disconnected, or reads nothing
 */
export function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      clearTimeout(timer);
      res.off("drain", onDrain).off("close", onClose);
      act();
    };
    const onDrain = settle(resolve);
    const onClose = settle(() => reject(new ClientGone()));
    const timer = setTimeout(onClose, STALL_MS);
    res.once("drain", onDrain).once("close", onClose);
  });
}

async function send(x: Exchange, chunks: Bytes, begin: () => void): Promise<void> {
  const { res } = x;
  let began = false;
  try {
    for await (const chunk of chunks) {
      if (x.clientGone) throw new ClientGone();
      // The first chunk proves that the file exists, so the response begins here.
      if (!began) begin();
      began = true;
      if (!res.write(chunk)) await drained(res);
    }
    if (!began) begin();
    res.end();
  } catch (error) {
    if (!began) throw error;
    // The client notices that bytes are missing.
    res.destroy();
    if (!(error instanceof ClientGone)) throw error;
  }
}

/**
 * Responds with a file, or with the requested range of it. Browsers store it and neither run nor display it.
 * @throws {AppError} not_found, range_not_satisfiable, unavailable
 */
export async function sendFile(x: Exchange, input: Input, broker: ServiceBroker, files: Files): Promise<void> {
  const meta = x.identity ? { identity: x.identity } : {};
  const { workspaceId, id } = input as { workspaceId: string; id: string };
  const located: Located = await call(broker, "files.open", { workspaceId, id }, { meta });
  const { name, type, size, sha256 } = located;
  const etag = `"${sha256}"`;
  x.headers.push("ETag", etag, "Accept-Ranges", "bytes");
  if (noneMatchNames(header(x, "if-none-match"), etag)) return x.send(304);
  const range = rangeOf(x, etag, size);
  const { from, to } = range ?? { from: 0, to: size };
  const headers = [...UNTRUSTED_HEADERS, ...x.headers, ...x.limit, "Content-Type", type];
  headers.push("Content-Disposition", attachment(name), "Content-Length", `${to - from}`);
  if (range) headers.push("Content-Range", `bytes ${from}-${to - 1}/${size}`);
  const begin = () => void x.res.writeHead(range ? 206 : 200, headers);
  x.streamed = true;
  if (x.req.method === "HEAD") {
    begin();
    return void x.res.end();
  }
  await send(x, files.read(workspaceId, located, range ?? undefined), begin);
}
