import { createCipheriv, createDecipheriv } from "node:crypto";
import { type ByteRange, type Bytes, fileDamaged } from "./port.ts";

/** The number of plain bytes in a chunk. Every chunk except the last is full. */
export const CHUNK_BYTES = 64 * 1024;
export const KEY_BYTES = 32;
const TAG_BYTES = 16;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;
const CIPHER = "aes-256-gcm";
const HEADER = Buffer.from("WEFTFIL\x01", "latin1");

/** Even an empty file has a chunk, so that its end is authenticated too. */
const chunksOf = (size: number) => Math.max(1, Math.ceil(size / CHUNK_BYTES));

/** The size of a sealed object with `size` plain bytes. */
export const sealedSize = (size: number): number => HEADER.length + size + chunksOf(size) * TAG_BYTES;

/**
 * The nonce of a chunk: its position, and whether it is the last (the STREAM construction). Chunks that were reordered,
 * left out or cut off at the end cannot be opened. Each object has its own key, so nonces never repeat under a key.
 */
function nonceOf(position: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(position, 7);
  nonce.writeUInt8(Number(last), 11);
  return nonce;
}

/** The sealed bytes of a chunk, and its tag. */
function sealChunk(key: Buffer, plain: Uint8Array, position: number, last: boolean): [Buffer, Buffer] {
  const cipher = createCipheriv(CIPHER, key, nonceOf(position, last), { authTagLength: TAG_BYTES });
  const sealed = cipher.update(plain);
  cipher.final();
  return [sealed, cipher.getAuthTag()];
}

function openChunk(key: Buffer, sealed: Buffer, position: number, last: boolean): Buffer {
  if (sealed.length < TAG_BYTES) throw fileDamaged();
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, nonceOf(position, last), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(end));
  try {
    const plain = decipher.update(sealed.subarray(0, end));
    decipher.final();
    return plain;
  } catch (error) {
    throw fileDamaged({ cause: error });
  }
}

/**
 * Yields the same bytes in pieces of `size`. The last piece may be shorter. Without bytes, it yields one empty piece.
 * Pieces stay valid.
 */
export async function* rechunk(bytes: Bytes, size: number): AsyncGenerator<Buffer> {
  const held: Uint8Array[] = [];
  let length = 0;
  let given = false;
  for await (const chunk of bytes) {
    held.push(Buffer.from(chunk));
    length += chunk.length;
    if (length < size) continue;
    const whole = Buffer.concat(held, length);
    let from = 0;
    for (; length - from >= size; from += size) {
      yield whole.subarray(from, from + size);
      given = true;
    }
    held.splice(0, held.length, whole.subarray(from));
    length -= from;
  }
  if (length > 0 || !given) yield Buffer.concat(held, length);
}

interface Block {
  /** Valid until the next block is requested. */
  bytes: Buffer;
  last: boolean;
}

/**
 * Yields the same bytes in blocks of `size`. The last block may be shorter or empty. All blocks share one buffer: new
 * buffers would be garbage outside the heap, which is collected late and so costs tens of MiB.
 */
async function* inBlocks(bytes: Bytes, size: number): AsyncGenerator<Block> {
  const block = Buffer.allocUnsafeSlow(size);
  let length = 0;
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length;) {
      if (length === size) {
        yield { bytes: block, last: false };
        length = 0;
      }
      const part = chunk.subarray(from, from + size - length);
      block.set(part, length);
      length += part.length;
      from += part.length;
    }
  }
  yield { bytes: block.subarray(0, length), last: true };
}

/** Frees memory immediately, without waiting for a garbage collection. */
const free = (chunk: Buffer) => void (chunk.buffer as ArrayBuffer).transfer(0);

/**
 * Seals bytes as they arrive, with a key that is used for nothing else. Memory holds a few chunks. A yielded chunk is
 * valid until the next one is requested.
 */
export async function* seal(key: Buffer, bytes: Bytes): AsyncGenerator<Buffer> {
  yield HEADER;
  let position = 0;
  for await (const { bytes: plain, last } of inBlocks(bytes, CHUNK_BYTES)) {
    const [sealed, tag] = sealChunk(key, plain, position++, last);
    yield sealed;
    yield tag;
    free(sealed);
  }
}

/**
 * The plain bytes of a range of a sealed object with `size` plain bytes. Reads only the chunks of the range.
 * @throws {FileError} file_damaged when a chunk cannot be opened, or the object ends early.
 */
export async function* unseal(
  key: Buffer,
  size: number,
  { from, to }: ByteRange,
  read: (range: ByteRange) => Bytes,
): AsyncGenerator<Buffer> {
  const last = chunksOf(size) - 1;
  const first = Math.floor(from / CHUNK_BYTES);
  const final = Math.min(last, Math.floor(Math.max(from, to - 1) / CHUNK_BYTES));
  const start = HEADER.length + first * SEALED_CHUNK_BYTES;
  const end = Math.min(sealedSize(size), HEADER.length + (final + 1) * SEALED_CHUNK_BYTES);
  let position = first;
  for await (const { bytes: sealed } of inBlocks(read({ from: start, to: end }), SEALED_CHUNK_BYTES)) {
    if (position > final) throw fileDamaged();
    const plain = openChunk(key, sealed, position, position === last);
    const at = position * CHUNK_BYTES;
    position++;
    const wanted = plain.subarray(Math.max(0, from - at), Math.max(0, to - at));
    if (wanted.length > 0) yield wanted;
  }
  if (position !== final + 1) throw fileDamaged();
}
