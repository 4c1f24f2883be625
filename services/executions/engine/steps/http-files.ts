import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { OutboundAnswer } from "../../../../adapters/net/port.ts";
import { errorCode } from "../../../../contracts/errors.ts";
import type { FileValue } from "../../../../contracts/entities/file.ts";
import { fileOf } from "../../../../core/run/references.ts";
import type { Files } from "../../../../service-kit/files.ts";
import { BodyError } from "./http-body.ts";
import type { StepContext } from "./step.ts";

/** A request is in memory as a whole, so that it can be signed and repeated after a redirect. */
const MAX_BODY_BYTES = 16 * 1_048_576;

const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

interface Loaded {
  name: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** @throws {BodyError} when the workspace has no such file, or it is too large */
async function load(files: Files, workspaceId: string, id: string, path: string): Promise<Loaded> {
  const located = await files.locate(workspaceId, id).catch((error: unknown) => {
    throw errorCode(error) === "not_found" ? new BodyError(`${path}: the file does not exist.`) : error;
  });
  const { name, type, size } = located;
  if (size > MAX_BODY_BYTES) throw new BodyError(`${path}: the file is larger than ${MAX_BODY_BYTES / 1_048_576} MiB.`);
  const bytes = await buffer(files.read(workspaceId, located) as AsyncIterable<Buffer>);
  return { name, type, bytes: new Uint8Array(bytes) };
}

/**
 * A file as the whole body. Its type becomes the content type if the headers have none.
 * @throws {BodyError} when the body is no file
 */
export async function fileBody(
  body: unknown,
  headers: Record<string, string>,
  { doc: { workspaceId }, parts }: StepContext,
): Promise<Uint8Array> {
  const id = fileOf(body);
  if (id === undefined) throw new BodyError('/data/body: expected a file, as {"$file": …}');
  const { type, bytes } = await load(parts.values.files, workspaceId, id, "/data/body");
  headers["content-type"] ??= type;
  return bytes;
}

/**
 * An object as `multipart/form-data`: a file becomes a part with its name and type, a list several parts of one name.
 * @throws {BodyError} when a value is neither a file nor a scalar
 */
export async function multipartBody(
  body: unknown,
  headers: Record<string, string>,
  { doc: { workspaceId }, parts }: StepContext,
): Promise<Uint8Array> {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new BodyError("/data/body: expected an object of fields, since the body is sent as multipart/form-data");
  const form = new FormData();
  let left = MAX_BODY_BYTES;
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const id = fileOf(item);
      if (item === null || item === undefined) continue;
      if (id !== undefined) {
        const file = await load(parts.values.files, workspaceId, id, `/data/body/${name}`);
        left -= file.bytes.length;
        if (left < 0) throw new BodyError(`/data/body: the files are larger than ${MAX_BODY_BYTES / 1_048_576} MiB.`);
        form.append(name, new Blob([file.bytes], { type: file.type }), file.name);
      } else if (isScalar(item)) form.append(name, String(item));
      else throw new BodyError(`/data/body/${name}: expected a file, text, a number, a boolean or a list of them`);
    }
  }
  const encoded = new Response(form);
  headers["content-type"] = encoded.headers.get("content-type") ?? "multipart/form-data";
  return new Uint8Array(await encoded.arrayBuffer());
}

/** The last part of the address, as a name for what it answered. */
const nameOf = (url: string) => decodeURIComponent(new URL(url).pathname.split("/").at(-1) || "download");

/** Stores an answer as a file that the run holds. A test of a step stores nothing, and gives null. */
export async function storeAnswer(
  { url, headers, body }: OutboundAnswer,
  context: StepContext,
): Promise<FileValue | null> {
  const { doc, parts, signal, dry } = context;
  if (dry) {
    context.log({ level: "info", message: `The answer is a file of ${body.length} bytes. A test stores no files.` });
    return null;
  }
  const owner = `execution:${doc.id}`;
  const wanted = { workspaceId: doc.workspaceId, name: nameOf(url), type: headers["content-type"], owner, signal };
  return parts.values.files.store(Readable.from([body]), wanted);
}
