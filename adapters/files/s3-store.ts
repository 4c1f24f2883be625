import { setTimeout as sleep } from "node:timers/promises";
import { S3mini, type UploadPart } from "s3mini";
import { Agent, fetch as call } from "undici";
import {
  type ByteRange,
  type Bytes,
  checkName,
  FileError,
  fileMissing,
  type ObjectName,
  type ObjectStore,
} from "./port.ts";
import { readS3Address } from "./s3-address.ts";
import { rechunk } from "./sealed-chunks.ts";

/** S3 refuses smaller parts, except the last. An object that fits is stored in one request. */
const PART_BYTES = 5 * 1024 * 1024;
const MAX_TRIES = 4;
const BACKOFF_MS = 200;
const CONNECT_MS = 5_000;
/** The time limit of a request until its answer begins, and of each silence in the answer's body. */
const REQUEST_MS = 60_000;
const SILENCE_MS = 30_000;
const CONNECTIONS = 16;

/** The library wraps errors of the network and of the server. */
function statusOf(error: unknown): number | undefined {
  for (let at = error as { status?: unknown; cause?: unknown } | undefined; at; at = at.cause as typeof at)
    if (typeof at.status === "number") return at.status;
  return undefined;
}

function translated(error: unknown): FileError {
  if (error instanceof FileError) return error;
  const status = statusOf(error);
  if (status === 404) return fileMissing();
  const why = status === undefined ? "does not answer" : `answered ${status}`;
  return new FileError("files_unavailable", `The store of files ${why}`, { cause: error });
}

const isMissing = (error: unknown) => error instanceof FileError && error.code === "file_missing";

/** Retries temporary failures: no answer, 408, 429 and 5xx. */
async function retried<T>(act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      const status = statusOf(error);
      const passes = status === undefined || status === 408 || status === 429 || status >= 500;
      if (!passes || tries >= MAX_TRIES) throw translated(error);
    }
    await sleep(BACKOFF_MS * 2 ** (tries - 1) * (0.75 + Math.random() / 2), undefined, signal && { signal });
  }
}

/**
 * The library's form of a list of unfinished uploads: the names of S3's XML, and a single element for a list of one.
 */
interface UnfinishedList {
  ListMultipartUploadsResult?: { Upload?: Unfinished | Unfinished[] };
}
interface Unfinished {
  Key?: string;
  UploadId?: string;
}

/** Objects in S3, or in a store with the same protocol. Each request is signed with AWS Signature Version 4. */
export class S3Store implements ObjectStore {
  readonly kind = "s3";
  readonly #client: S3mini;
  readonly #agent: Agent;
  readonly #prefix: string;

  /** @throws {TypeError} when the address is not valid. */
  constructor(address: string) {
    const { prefix, ...server } = readS3Address(address);
    this.#prefix = prefix;
    this.#agent = new Agent({
      connect: { timeout: CONNECT_MS },
      connections: CONNECTIONS,
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
    });
    this.#client = new S3mini({ ...server, fetch: this.#fetch });
  }

  /** Redirects are errors, because the signature is valid for one host only. */
  readonly #fetch = (async (url: string, init: RequestInit = {}) => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error("timeout")), REQUEST_MS);
    try {
      const options = { ...init, redirect: "error", dispatcher: this.#agent, signal: limit.signal } as object;
      return await call(url, options);
    } finally {
      clearTimeout(timer);
    }
  }) as unknown as typeof fetch;

  #keyOf(name: ObjectName): string {
    checkName(name);
    return this.#prefix + name;
  }

  async put(name: ObjectName, bytes: Bytes, signal?: AbortSignal): Promise<void> {
    const key = this.#keyOf(name);
    const parts = rechunk(bytes, PART_BYTES)[Symbol.asyncIterator]();
    const first = await parts.next();
    const second = await parts.next();
    if (second.done) {
      const whole = first.value as Buffer;
      await retried(() => this.#client.putObject(key, whole, "application/octet-stream"), signal);
      return;
    }
    const uploadId = await retried(() => this.#client.getMultipartUploadId(key), signal);
    const sent: UploadPart[] = [];
    try {
      const send = async (part: Buffer) => {
        const number = sent.length + 1;
        sent.push(await retried(() => this.#client.uploadPart(key, uploadId, part, number), signal));
      };
      await send(first.value as Buffer);
      await send(second.value);
      for (let next = await parts.next(); !next.done; next = await parts.next()) await send(next.value);
      await retried(() => this.#client.completeMultipartUpload(key, uploadId, sent), signal);
    } catch (error) {
      await this.#client.abortMultipartUpload(key, uploadId).catch(() => undefined);
      throw error;
    }
  }

  async *get(name: ObjectName, range?: ByteRange, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const key = this.#keyOf(name);
    if (range && range.to <= range.from) return;
    const { body } = await retried(() => this.#client.getObjectRaw(key, !range, range?.from, range?.to), signal);
    try {
      for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
        signal?.throwIfAborted();
        yield chunk;
      }
    } catch (error) {
      throw signal?.aborted ? error : translated(error);
    }
  }

  async remove(name: ObjectName): Promise<void> {
    const key = this.#keyOf(name);
    for (const uploadId of await this.#unfinished(key))
      await retried(() => this.#client.abortMultipartUpload(key, uploadId)).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    // By the protocol, a DELETE of a missing object succeeds. Some stores answer 404.
    await retried(() => this.#client.deleteObject(key)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }

  async #unfinished(key: string): Promise<string[]> {
    const list = () => this.#client.listMultipartUploads("/", "", "GET", { prefix: key });
    const { ListMultipartUploadsResult: found } = (await retried(list)) as UnfinishedList;
    const uploads = [found?.Upload ?? []].flat();
    return uploads.flatMap(({ Key, UploadId }) => (Key === key && UploadId ? [UploadId] : []));
  }

  async ping(): Promise<void> {
    const key = `${this.#prefix}probe`;
    await retried(() => this.#client.putObject(key, Buffer.from("weft"), "application/octet-stream"));
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
