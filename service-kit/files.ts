import type { ServiceBroker } from "moleculer";
import type { FileVault } from "../adapters/files/file-vault.ts";
import type { ByteRange, Bytes, ObjectName } from "../adapters/files/port.ts";
import { config } from "../config.ts";
import type { OutputOf } from "../contracts/actions.ts";
import { call } from "../contracts/call.ts";
import { type FileValue, fileValueOf, MAX_FILE_NAME } from "../contracts/entities/file.ts";
import { AppError } from "../contracts/errors.ts";
import { counter } from "../telemetry/instruments.ts";
import { sealerFor } from "./sealer.ts";

/** The purpose with which the keys of files are sealed. */
export const FILE_KEYS = "file keys";

const stored = counter("weft_file_bytes_total");
const failures = counter("weft_file_failures_total");

export type Located = OutputOf<"files.locate">;

export interface NewFile {
  workspaceId: string;
  /** The file's name. Characters that are not allowed in file names are replaced. */
  name?: string | undefined;
  /** The media type as the sender states it. */
  type?: string | undefined;
  createdBy?: string | null | undefined;
  /** What holds the file from the beginning, such as `execution:<id>`. */
  owner?: string | undefined;
  /** True if a run is about to hold the file. If none does, the file is removed after minutes instead of a day. */
  brief?: boolean | undefined;
  maxBytes?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Stored bytes that are not a file yet. */
export interface Received {
  id: string;
  size: number;
  sha256: string;
  key: string;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(\s*;\s*charset="?[\w-]{1,40}"?)?$/i;

/** A media type that is safe to send back; `application/octet-stream` if the given one is not valid. */
export const mediaTypeOf = (given: string | undefined): string => {
  const type = (given ?? "").trim();
  return MEDIA_TYPE.test(type) ? type.toLowerCase() : "application/octet-stream";
};

/** A file name that every system accepts, without the folders of the sender's machine. */
export function fileNameFrom(given: string | undefined): string {
  const last = (given ?? "").split(/[/\\]/).at(-1) ?? "";
  // eslint-disable-next-line no-control-regex
  const name = last.replace(/[\u0000-\u001f\u007f]/g, " ").trim();
  return name.slice(0, MAX_FILE_NAME) || "file";
}

const objectOf = (workspaceId: string, id: string): ObjectName => `${workspaceId}/${id}`;

/** Translates errors of the vault into those of the API. */
export function fileError(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== "string" || !code.startsWith("file")) return error;
  failures(code).add();
  if (code === "file_too_large") return new AppError("payload_too_large", { detail: `${(error as Error).message}.` });
  return new AppError("unavailable", { detail: `${(error as Error).message}.` });
}

/**
 * The files of workspaces, for every service that stores or reads them. The bytes go directly to the file store. The
 * service `files` keeps the metadata and the holds.
 */
export class Files {
  readonly #broker: ServiceBroker;
  readonly #sealer = sealerFor(FILE_KEYS);
  /** Opens the store of files at its first use. */
  readonly vault: () => Promise<FileVault>;

  constructor(broker: ServiceBroker, vault: () => Promise<FileVault>) {
    this.#broker = broker;
    this.vault = vault;
  }

  /**
   * Stores the bytes of an upload for which `files.begin` or `files.reserve` reserved space.
   * @throws {AppError} payload_too_large, unavailable; also the error of `bytes`
   */
  async put(
    { workspaceId, id }: { workspaceId: string; id: string },
    bytes: Bytes,
    { maxBytes = config().MAX_FILE_BYTES, signal }: Pick<NewFile, "maxBytes" | "signal"> = {},
  ): Promise<Omit<Received, "id">> {
    try {
      const { size, sha256, key } = await (
        await this.vault()
      ).put(objectOf(workspaceId, id), bytes, { maxBytes, signal });
      stored("stored").add(size);
      return { size, sha256, key: this.#sealer.seal(key, id) };
    } catch (error) {
      throw fileError(error);
    }
  }

  /**
   * Stores bytes as a file of a workspace, while they arrive.
   * @throws {AppError} payload_too_large, limit_reached, unavailable; also the error of `bytes`
   */
  store(bytes: Bytes, wanted: NewFile): Promise<FileValue> {
    return this.#store(bytes, wanted, "file");
  }

  /** Stores a large value of a run. Lists of files do not show it. The errors are those of `store`. */
  storeValue(bytes: Bytes, wanted: NewFile): Promise<FileValue> {
    return this.#store(bytes, { ...wanted, name: "value.json", type: "application/json" }, "value");
  }

  async #store(bytes: Bytes, wanted: NewFile, kind: "file" | "value"): Promise<FileValue> {
    const received = await this.receive(bytes, wanted);
    try {
      return await this.publish(received, wanted, kind);
    } catch (error) {
      this.discard(wanted.workspaceId, received.id);
      throw error;
    }
  }

  /**
   * Stores bytes. Then `publish` makes them a file, or `discard` removes them.
   * @throws {AppError} payload_too_large, limit_reached, unavailable; also the error of `bytes`
   */
  async receive(
    bytes: Bytes,
    { workspaceId, maxBytes, signal }: Pick<NewFile, "workspaceId" | "maxBytes" | "signal">,
    /** Reserves space for the bytes. Callers pass another function if not every user may store files. */
    reserve: () => Promise<{ id: string }> = () => call(this.#broker, "files.reserve", { workspaceId }),
  ): Promise<Received> {
    const { id } = await reserve();
    try {
      return { id, ...(await this.put({ workspaceId, id }, bytes, { maxBytes, signal })) };
    } catch (error) {
      this.discard(workspaceId, id);
      throw error;
    }
  }

  /** @throws {AppError} limit_reached, conflict when the bytes were removed meanwhile */
  async publish({ id, size, sha256, key }: Received, wanted: NewFile, kind: "file" | "value" = "file") {
    const { workspaceId, name, type, createdBy = null, owner, brief } = wanted;
    const about = { name: fileNameFrom(name), type: mediaTypeOf(type), createdBy, kind };
    const added = { workspaceId, id, size, sha256, key, ...about, ...(owner && { owner }), ...(brief && { brief }) };
    return fileValueOf(await call(this.#broker, "files.add", added));
  }

  /** Removes bytes that were not published. If this hint is lost, the sweep removes them. */
  discard(workspaceId: string, id: string): void {
    call(this.#broker, "files.discard", { workspaceId, uploadId: id }).catch(() => undefined);
  }

  /** @throws {AppError} not_found when the workspace has no such file */
  locate(workspaceId: string, id: string, kind?: "file" | "value"): Promise<Located> {
    return call(this.#broker, "files.locate", { workspaceId, id, ...(kind && { kind }) });
  }

  /**
   * The bytes of a file, or of a range inside of it.
   * @throws {AppError} unavailable, while iterating
   */
  async *read(
    workspaceId: string,
    { id, size, key }: Pick<Located, "id" | "size" | "key">,
    range?: ByteRange,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const opened = { size, key: this.#sealer.open(key, id) };
    try {
      const vault = await this.vault();
      for await (const chunk of vault.read(objectOf(workspaceId, id), opened, range, signal)) {
        stored("read").add(chunk.length);
        yield chunk;
      }
    } catch (error) {
      throw fileError(error);
    }
  }

  /** Holds files for as long as their owner exists. Returns the ids that exist in the workspace. */
  async hold(workspaceId: string, ids: readonly string[], owner: string): Promise<string[]> {
    if (ids.length === 0) return [];
    return (await call(this.#broker, "files.hold", { workspaceId, ids: [...ids], owner })).held;
  }
}
