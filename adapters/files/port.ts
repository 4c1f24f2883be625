/** Bytes `from` (inclusive) to `to` (exclusive). */
export interface ByteRange {
  from: number;
  to: number;
}

export type Bytes = AsyncIterable<Uint8Array>;

/** Bytes in chunks that are valid only until the next chunk is requested. */
export type BriefBytes = Bytes;

/**
 * A failure of an object store. Match on `code`, which survives serialization. `files_unavailable`: the store cannot be
 * reached, is full, or did not answer in time. `file_missing`: the object does not exist. `file_damaged`: its bytes
 * differ from the stored ones. `file_too_large`: a stream exceeds its limit.
 */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly code: "files_unavailable" | "file_missing" | "file_damaged" | "file_too_large";

  constructor(code: FileError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export const fileMissing = () => new FileError("file_missing", "The bytes of the file do not exist");

export const fileDamaged = (options?: ErrorOptions) =>
  new FileError("file_damaged", "The stored bytes of the file are damaged", options);

/** The name of an object: the id of a workspace, a slash, and an id that is never used again. */
export type ObjectName = `${string}/${string}`;

const NAME = /^[\w-]{1,64}\/[\w-]{1,64}$/;

/** @throws {TypeError} when the name could lead outside its folder. */
export function checkName(name: ObjectName): void {
  if (!NAME.test(name)) throw new TypeError("An object is named <workspace>/<id>");
}

/** Stores bytes without knowing their meaning. All its errors are `FileError`s. */
export interface ObjectStore {
  /** The name in metrics and `/health/ready`. */
  readonly kind: "folder" | "s3" | "gridfs";
  /**
   * Stores bytes as they arrive. The object becomes visible as a whole when the promise resolves. A name is used for
   * only one `putNode`. After a failed or interrupted `putNode`, `remove` clears the remains.
   * @throws {FileError} files_unavailable; also the error of `bytes`.
   */
  put(name: ObjectName, bytes: BriefBytes, signal?: AbortSignal): Promise<void>;
  /**
   * The bytes of an object, or of a range of it.
   * @throws {FileError} file_missing, also while iterating; files_unavailable.
   */
  get(name: ObjectName, range?: ByteRange, signal?: AbortSignal): BriefBytes;
  /** Removes an object, or the remains of an unfinished `putNode`. A missing object is not an error. */
  remove(name: ObjectName): Promise<void>;
  /** @throws {FileError} files_unavailable when the store cannot be written to. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
