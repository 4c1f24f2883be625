import { createHash } from "node:crypto";
import type { Bytes } from "../../../adapters/files/port.ts";
import type { FileValue } from "../../../contracts/entities/file.ts";
import { canonicalJson } from "../../../core/json.ts";
import type { Files, Received } from "../../../service-kit/files.ts";
import { type Field, type FilePart, readMultipart } from "./multipart.ts";

interface Limits {
  MAX_FILE_BYTES: number;
  MAX_BODY_BYTES: number;
}

interface Owner {
  workspaceId: string;
  createdBy?: string | null;
  /** Reserves space for a file, if the caller's role decides about that. */
  reserve?: () => Promise<{ id: string }>;
}

/** Whether a content type is a multipart form. */
export const isMultipart = (type = ""): boolean => /^\s*multipart\/form-data\s*(;|$)/i.test(type);

/** The largest body that may contain files. */
export const maxBytesOf = ({ MAX_FILE_BYTES, MAX_BODY_BYTES }: Limits): number => MAX_FILE_BYTES + MAX_BODY_BYTES;

async function* rest(first: Uint8Array, of: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await of.next(); !next.done; next = await of.next()) yield next.value;
}

/**
 * The files of one request. They are published together, once all have arrived. `close` removes the files that were not
 * published.
 */
export class IncomingFiles {
  readonly #files: Files;
  readonly #owner: Owner;
  readonly #limits: Limits;
  readonly #received = new Map<string, Received>();

  constructor(files: Files, owner: Owner, limits: Limits) {
    this.#files = files;
    this.#owner = owner;
    this.#limits = limits;
  }

  /** @throws {AppError} payload_too_large, limit_reached, unavailable, or an error of the role */
  async receive(bytes: Bytes, maxBytes = this.#limits.MAX_FILE_BYTES): Promise<Received> {
    const { workspaceId, reserve } = this.#owner;
    const received = await this.#files.receive(bytes, { workspaceId, maxBytes }, reserve);
    this.#received.set(received.id, received);
    return received;
  }

  /** The bytes that `receive` stored. */
  read({ id, size, key }: Received): Bytes {
    return this.#files.read(this.#owner.workspaceId, { id, size, key });
  }

  /** Makes stored bytes a file. A run will hold it soon. */
  async publish(received: Received, { name, type }: FilePart): Promise<FileValue> {
    const { workspaceId, createdBy } = this.#owner;
    const file = await this.#files.publish(received, { workspaceId, createdBy, name, type, brief: true });
    this.#received.delete(received.id);
    return file;
  }

  /**
   * Reads a form whose files become files of the workspace.
   * @throws the errors of `readMultipart`
   */
  async form(body: Bytes, contentType: string): Promise<Field[]> {
    const parts = new Map<Received, FilePart>();
    const keep = async (bytes: Bytes, part: FilePart): Promise<Received | undefined> => {
      const iterator = bytes[Symbol.asyncIterator]();
      const first = await iterator.next();
      // If no file was chosen, browsers send an empty part without a name.
      if (first.done && part.name === "") return undefined;
      const received = await this.receive(first.done ? bytes : rest(first.value, iterator));
      parts.set(received, part);
      return received;
    };
    const fields = await readMultipart(body, { contentType, maxFieldBytes: this.#limits.MAX_BODY_BYTES, keep });
    const values: Field[] = [];
    for (const [name, value] of fields) {
      const part = parts.get(value as Received);
      values.push([name, part ? await this.publish(value as Received, part) : value]);
    }
    return values;
  }

  close(): void {
    for (const id of this.#received.keys()) this.#files.discard(this.#owner.workspaceId, id);
    this.#received.clear();
  }
}

/** A digest of a value. It is the same for the same files, whatever their ids. */
export function digestOf(value: unknown): string {
  const text = JSON.stringify(value, (key, inner: unknown) => {
    if (key !== "$file" || typeof inner !== "object" || inner === null) return inner;
    return { ...inner, id: undefined };
  });
  return createHash("sha256")
    .update(canonicalJson(JSON.parse(text)))
    .digest("hex");
}
