import { randomBytes } from "node:crypto";
import type { LongBody } from "../../../../adapters/net/port.ts";
import { errorCode } from "../../../../contracts/errors.ts";
import type { FileValue } from "../../../../contracts/entities/file.ts";
import { fileOf } from "../../../../core/run/references.ts";
import type { Located } from "../../../../service-kit/files.ts";
import { BodyError } from "../../../../core/http-body.ts";
import type { StepContext } from "./step.ts";

const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

/** @throws {BodyError} when the workspace has no such file */
export async function locateFile({ doc, parts }: StepContext, id: string, path: string): Promise<Located> {
  return parts.values.files.locate(doc.workspaceId, id, "file").catch((error: unknown) => {
    throw errorCode(error) === "not_found" ? new BodyError(`${path}: the file does not exist.`) : error;
  });
}

/** The bytes of a file. They are read while they are used. */
export const bytesOf = ({ doc, parts, signal }: StepContext, located: Located) =>
  parts.values.files.read(doc.workspaceId, located, undefined, signal);

/**
 * Sends a file as the whole body, reading it meanwhile. Its type becomes the content type if the headers set none.
 * @throws {BodyError} when the body is no file
 */
export async function fileBody(
  body: unknown,
  headers: Record<string, string>,
  context: StepContext,
): Promise<LongBody> {
  const id = fileOf(body);
  if (id === undefined) throw new BodyError('/data/body: expected a file, as {"$file": …}');
  const located = await locateFile(context, id, "/data/body");
  headers["content-type"] ??= located.type;
  return { size: located.size, sha256: located.sha256, open: () => bytesOf(context, located) };
}

/** Names of parts and files as browsers write them (WHATWG HTML, "multipart/form-data encoding algorithm"). */
const quoted = (text: string) => `"${text.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")}"`;

type Piece = Uint8Array | Located;
const isFile = (piece: Piece): piece is Located => !(piece instanceof Uint8Array);

/**
 * Encodes an object as `multipart/form-data`. A file becomes a part with its name and type, a list becomes several
 * parts with one name. Files are read while they are sent.
 * @throws {BodyError} when a value is neither a file nor a scalar
 */
export async function multipartBody(
  body: unknown,
  headers: Record<string, string>,
  context: StepContext,
): Promise<LongBody> {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new BodyError("/data/body: expected an object of fields, since the body is sent as multipart/form-data");
  const boundary = `weft-${randomBytes(18).toString("hex")}`;
  const pieces: Piece[] = [];
  const add = (text: string) => pieces.push(Buffer.from(text));
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (item === null || item === undefined) continue;
      const begin = `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}`;
      const id = fileOf(item);
      if (id !== undefined) {
        const file = await locateFile(context, id, `/data/body/${name}`);
        add(`${begin}; filename=${quoted(file.name)}\r\nContent-Type: ${file.type}\r\n\r\n`);
        pieces.push(file);
        add("\r\n");
      } else if (isScalar(item)) add(`${begin}\r\n\r\n${String(item)}\r\n`);
      else throw new BodyError(`/data/body/${name}: expected a file, text, a number, a boolean or a list of them`);
    }
  }
  add(`--${boundary}--\r\n`);
  headers["content-type"] = `multipart/form-data; boundary=${boundary}`;
  return {
    size: pieces.reduce((sum, piece) => sum + (isFile(piece) ? piece.size : piece.length), 0),
    async *open() {
      for (const piece of pieces)
        if (isFile(piece)) yield* bytesOf(context, piece);
        else yield piece;
    },
  };
}

/** The last segment of the address, as a name for the downloaded file. */
function nameOf(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) || "download";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/**
 * Stores a response as a file that the run holds, while it arrives. A test of a step stores nothing and returns null.
 */
export const storeAnswer = (
  bytes: AsyncIterable<Uint8Array>,
  { url, headers }: { url: string; headers: Record<string, string> },
  context: StepContext,
): Promise<FileValue | null> => storeFile(bytes, { name: nameOf(url), type: headers["content-type"] }, context);

/** Stores bytes as a file that the run holds, while they arrive. A test of a step stores nothing and returns null. */
export async function storeFile(
  bytes: AsyncIterable<Uint8Array>,
  about: { name: string; type: string | undefined },
  context: StepContext,
): Promise<FileValue | null> {
  const { doc, parts, signal, dry } = context;
  if (dry) {
    let size = 0;
    for await (const chunk of bytes) size += chunk.length;
    context.log({ level: "info", message: `The answer is a file of ${size} bytes. A test stores no files.` });
    return null;
  }
  const owner = `execution:${doc.id}`;
  return parts.values.files.store(bytes, { workspaceId: doc.workspaceId, ...about, owner, signal });
}
