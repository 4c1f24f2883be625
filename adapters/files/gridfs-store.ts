import { type Db, GridFSBucket, MongoClient, MongoServerError } from "mongodb";
import { finished } from "node:stream/promises";
import { mongoOptions, QUERY_MS } from "../store/mongo/mongo-options.ts";
import {
  type ByteRange,
  type Bytes,
  checkName,
  fileDamaged,
  FileError,
  fileMissing,
  type ObjectName,
  type ObjectStore,
} from "./port.ts";

const BUCKET = "objects";
/** Below 1 MiB including the wrapping, so that a server writes a chunk in one piece. */
const CHUNK_BYTES = 1024 * 1024 - 1024;
const POOL_SIZE = 10;

const unavailable = (error: unknown) => {
  const code = error instanceof MongoServerError ? ` (${error.codeName ?? error.code})` : "";
  return new FileError("files_unavailable", `MongoDB cannot store or read files${code}`, { cause: error });
};

/** Every error of the driver has a name such as MongoNetworkError. */
const isDrivers = (error: unknown) => /^(Mongo|BSON)/.test((error as Error | null)?.name ?? "");

/**
 * Objects in MongoDB's GridFS. The `_id` is the name. GridFS writes the chunks first and the file's document last,
 * which publishes the object.
 */
export class GridFsStore implements ObjectStore {
  readonly kind = "gridfs";
  readonly #client: MongoClient;
  readonly #db: Db;
  readonly #bucket: GridFSBucket;

  private constructor(client: MongoClient) {
    this.#client = client;
    this.#db = client.db();
    this.#bucket = new GridFSBucket(this.#db, { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES });
  }

  /** @throws {FileError} files_unavailable when no server answers. */
  static async open(uri: string): Promise<GridFsStore> {
    const client = new MongoClient(uri, { ...(mongoOptions(uri) as object), maxPoolSize: POOL_SIZE });
    try {
      await client.connect();
    } catch (error) {
      await client.close().catch(() => undefined);
      throw unavailable(error);
    }
    return new GridFsStore(client);
  }

  async put(name: ObjectName, bytes: Bytes, signal?: AbortSignal): Promise<void> {
    checkName(name);
    // The driver accepts any id, although its types require an ObjectId.
    const upload = this.#bucket.openUploadStreamWithId(name as never, name);
    upload.on("error", () => undefined);
    try {
      for await (const chunk of bytes) {
        signal?.throwIfAborted();
        await written(upload, chunk);
      }
      upload.end();
      await finished(upload);
    } catch (error) {
      await upload.abort().catch(() => undefined);
      throw isDrivers(error) ? unavailable(error) : error;
    }
  }

  async *get(name: ObjectName, range?: ByteRange, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    checkName(name);
    if (range && range.to <= range.from) return;
    const at = range ? { start: range.from, end: range.to } : {};
    const stream = this.#bucket.openDownloadStream(name as never, at);
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        signal?.throwIfAborted();
        yield chunk;
      }
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENOENT" || /FileNotFound/.test(String(error))) throw fileMissing();
      if (/GridFS/.test((error as Error).name)) throw fileDamaged({ cause: error });
      throw isDrivers(error) ? unavailable(error) : error;
    } finally {
      await stream.abort().catch(() => undefined);
    }
  }

  async remove(name: ObjectName): Promise<void> {
    checkName(name);
    try {
      const options = { maxTimeMS: QUERY_MS };
      // Removes the document first, so no reader finds a file without its chunks.
      await this.#db.collection<{ _id: string }>(`${BUCKET}.files`).deleteOne({ _id: name }, options);
      await this.#db.collection(`${BUCKET}.chunks`).deleteMany({ files_id: name }, options);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async ping(): Promise<void> {
    try {
      const probes = this.#db.collection<{ _id: string; at: Date }>("probes");
      await probes.updateOne({ _id: "files" }, { $set: { at: new Date() } }, { upsert: true, timeoutMS: QUERY_MS });
    } catch (error) {
      throw unavailable(error);
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/**
 * Waits until the stream has copied a chunk. A write that returns true may only be queued, and the chunk becomes
 * invalid afterwards.
 */
function written(upload: NodeJS.WritableStream, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    upload.write(chunk, error => {
      if (error) reject(error);
      else resolve();
    });
  });
}
