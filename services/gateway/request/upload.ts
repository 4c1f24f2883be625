import { createHash } from "node:crypto";
import type { ServiceBroker } from "moleculer";
import { MAX_PART_BYTES } from "../../../contracts/actions/knowledge.ts";
import { call, type Meta } from "../../../contracts/call.ts";
import { AppError } from "../../../contracts/errors.ts";
import type { FileUpload, Route } from "../../../contracts/routes.ts";
import type { Files } from "../../../service-kit/files.ts";
import { askForBody, ClientGone, refuseCompressed, tooLarge } from "./body.ts";
import type { Exchange } from "../http/exchange.ts";
import { fileNameOf } from "./file-name.ts";
import { completeInput, type Input } from "./input.ts";
import { parseJson } from "./json.ts";

const QUERY = {
  query: new Map([
    ["name", "text" as const],
    ["metadata", "text" as const],
  ]),
  body: new Set<string>(),
  route: { headers: {} },
};

const mediaTypeOf = ({ req }: Exchange) => (req.headers["content-type"] ?? "").split(";", 1)[0]!.trim().toLowerCase();

/** The further media types that the route accepts as a body. */
export const typesOf = ({ upload }: Route): readonly string[] | undefined =>
  upload?.types === "any" ? undefined : upload?.types;

/** How to forward the body of this request, if it is a file. */
export const uploadOf = (x: Exchange, { upload }: Route): FileUpload | undefined =>
  upload?.types === "any" || upload?.types.includes(mediaTypeOf(x)) ? upload : undefined;

const fault = (field: string, message: string) =>
  new AppError("validation_failed", { errors: [{ path: `/${field}`, message }] });

function parsedMetadata(text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    throw fault("metadata", "Expected a JSON object");
  }
}

/**
 * Adds the metadata of the request's file: `name` from the query or else from Content-Disposition, `metadata` as JSON
 * from the query, and the type.
 * @throws {AppError} validation_failed when one of them is not valid
 */
export function fileInput(x: Exchange, input: Input): Input {
  const { headers } = x.req;
  completeInput(input, QUERY, { search: x.search, headers, body: undefined });
  input.name ??= fileNameOf(headers["content-disposition"]);
  if (input.name === undefined)
    throw fault("name", "Required: as a query parameter, or as `filename` in Content-Disposition");
  if (typeof input.metadata === "string") input.metadata = parsedMetadata(input.metadata);
  input.contentType = headers["content-type"];
  return input;
}

/** Splits the body into parts of at most `MAX_PART_BYTES`. At most one part is in memory. */
async function* partsOf({ req }: Exchange, limit: number): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer[] = [];
  let size = 0;
  let total = 0;
  try {
    // The iterator leaves the stream open, because the exchange discards the rest of a refused body.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > limit) throw tooLarge(limit);
      held.push(chunk);
      size += chunk.length;
      if (size < MAX_PART_BYTES) continue;
      const bytes = Buffer.concat(held, size);
      const whole = size - (size % MAX_PART_BYTES);
      for (let from = 0; from < whole; from += MAX_PART_BYTES) yield bytes.subarray(from, from + MAX_PART_BYTES);
      held = [bytes.subarray(whole)];
      size -= whole;
    }
  } catch (error) {
    throw req.destroyed && !(error instanceof AppError) ? new ClientGone() : error;
  }
  if (size > 0) yield Buffer.concat(held, size);
}

export interface Uploaded {
  uploadId: string;
  /** The hash of the file's bytes. It identifies the same file. */
  sha256: string;
}

export interface Receiver {
  files: Files;
  broker: ServiceBroker;
  meta: Meta;
  address: string;
  limit: number;
}

/** Removes a file that no import has taken. If this hint is lost, the service's sweep removes the file. */
export function discard({ broker }: Receiver, upload: FileUpload, { workspaceId }: Input, uploadId: string): void {
  broker.call(upload.discard, { workspaceId, uploadId }).catch(() => undefined);
}

function checkSize({ req }: Exchange, limit: number): void {
  if (Number(req.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
}

/**
 * The bytes of a body while they arrive.
 * @throws {AppError} payload_too_large, unsupported_media_type
 * @throws {ClientGone} when the client disconnects before the end
 */
export function receiveBytes(x: Exchange, limit: number): AsyncGenerator<Buffer, void, undefined> {
  refuseCompressed(x);
  checkSize(x, limit);
  askForBody(x);
  return partsOf(x, limit);
}

/**
 * The SHA-256 of a body. The body is not stored.
 * @throws {AppError} payload_too_large
 * @throws {ClientGone} when the client disconnects before the end
 */
export async function hashFile(x: Exchange, limit: number): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of receiveBytes(x, limit)) hash.update(part);
  return hash.digest("hex");
}

/** Stores a body in the file store while it arrives. */
async function putFile(x: Exchange, workspaceId: string, id: string, to: Receiver): Promise<Uploaded> {
  const { files, broker, limit } = to;
  const stored = await files.put({ workspaceId, id }, partsOf(x, limit), { maxBytes: limit });
  await call(broker, "files.uploaded", { workspaceId, id, ...stored });
  return { uploadId: id, sha256: stored.sha256 };
}

/**
 * Forwards a body while it arrives, after the check that its caller may send it. Each part is stored before the next
 * one is read.
 * @throws {AppError} payload_too_large, or the errors of `begin` and `append`
 * @throws {ClientGone} when the client disconnects before the end
 */
export async function receiveFile(x: Exchange, upload: FileUpload, input: Input, to: Receiver): Promise<Uploaded> {
  const { broker, meta, limit, address } = to;
  refuseCompressed(x);
  checkSize(x, limit);
  const options = { meta, headers: { address }, requestID: x.requestId };
  const { uploadId } = await broker.call<{ uploadId: string }, Input>(upload.begin, { ...input }, options);
  const { workspaceId } = input;
  const { append } = upload;
  const hash = createHash("sha256");
  let place = 0;
  try {
    askForBody(x);
    if (append === undefined) return await putFile(x, String(workspaceId), uploadId, to);
    for await (const part of partsOf(x, limit)) {
      hash.update(part);
      const params = { workspaceId, uploadId, place: place++, base64: part.toString("base64") };
      await broker.call(append, params, { requestID: x.requestId });
    }
    return { uploadId, sha256: hash.digest("hex") };
  } catch (error) {
    discard(to, upload, input, uploadId);
    throw error;
  }
}
