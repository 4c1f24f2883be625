import { createHash, randomBytes } from "node:crypto";
import { type ByteRange, type Bytes, FileError, type ObjectName, type ObjectStore } from "./port.ts";
import { KEY_BYTES, seal, unseal } from "./sealed-chunks.ts";

export interface Stored {
  /** In bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
  /** The object's own key, base64. It must be sealed before it is stored. */
  key: string;
}

export interface PutLimits {
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

/**
 * Files in an object store. They are sealed while they arrive, and opened while they are read, so memory never holds a
 * whole file. Every object has its own random key, so a new SECRETS_KEY only seals these keys again and touches no
 * object.
 */
export class FileVault {
  readonly objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.objects = objects;
  }

  /**
   * Stores bytes under a name that was never used before.
   * @throws {FileError} file_too_large when there are more than `maxBytes`; files_unavailable; also the error of
   * `bytes`. The caller then removes the object.
   */
  async put(name: ObjectName, bytes: Bytes, { maxBytes, signal }: PutLimits): Promise<Stored> {
    const key = randomBytes(KEY_BYTES);
    const hash = createHash("sha256");
    let size = 0;
    async function* counted() {
      for await (const chunk of bytes) {
        size += chunk.length;
        if (size > maxBytes) throw new FileError("file_too_large", `A file is limited to ${maxBytes} bytes`);
        hash.update(chunk);
        yield chunk;
      }
    }
    await this.objects.put(name, seal(key, counted()), signal);
    return { size, sha256: hash.digest("hex"), key: key.toString("base64") };
  }

  /**
   * The bytes of a file, or of a range of it.
   * @throws {FileError} while iterating: file_missing, file_damaged, files_unavailable.
   */
  read(name: ObjectName, { key, size }: Omit<Stored, "sha256">, range?: ByteRange, signal?: AbortSignal): Bytes {
    const wanted = range ?? { from: 0, to: size };
    return unseal(Buffer.from(key, "base64"), size, wanted, sealed => this.objects.get(name, sealed, signal));
  }
}
