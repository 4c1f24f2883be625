import { createHash, randomBytes, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { FileVault } from "../../adapters/files/file-vault.ts";
import type { Bytes, ObjectName, ObjectStore } from "../../adapters/files/port.ts";
import { CHUNK_BYTES } from "../../adapters/files/sealed-chunks.ts";

const streamOf = (...parts: Uint8Array[]): Bytes => Readable.from(parts);
/** All bytes. Each chunk is copied, because it is valid only until the next one is asked for. */
export async function read(bytes: Bytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
const nameOf = (): ObjectName => `${randomUUID()}/${randomUUID()}`;
const MAX = { maxBytes: 64 * 1024 * 1024 };

/** The port's one suite, for every kind of store. `raw` gives and changes the stored bytes of an object. */
export function describeObjects(
  name: string,
  open: () => Promise<ObjectStore>,
  raw: (name: ObjectName) => Promise<{ read(): Promise<Buffer>; write(bytes: Buffer): Promise<void> }>,
): void {
  describe(name, () => {
    let objects: ObjectStore;
    let vault: FileVault;
    beforeAll(async () => {
      objects = await open();
      vault = new FileVault(objects);
    });
    afterAll(() => objects.close());

    it.each([0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES, 6 * 1024 * 1024, 11_000_001])(
      "returns %i bytes as they were stored",
      async size => {
        const at = nameOf();
        const bytes = randomBytes(size);
        const half = Math.floor(size / 3);
        const stored = await vault.put(at, streamOf(bytes.subarray(0, half), bytes.subarray(half)), MAX);
        expect(stored).toMatchObject({ size, sha256: createHash("sha256").update(bytes).digest("hex") });
        expect((await read(vault.read(at, stored))).equals(bytes)).toBe(true);
      },
    );

    it("reads any range", async () => {
      const at = nameOf();
      const bytes = randomBytes(3 * CHUNK_BYTES + 17);
      const stored = await vault.put(at, streamOf(bytes), MAX);
      const ends = [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES + 5, bytes.length];
      for (const from of ends)
        for (const to of ends.filter(end => end >= from)) {
          const part = await read(vault.read(at, stored, { from, to }));
          expect({ from, to, same: part.equals(bytes.subarray(from, to)) }).toEqual({ from, to, same: true });
        }
    });

    it("stores bytes encrypted", async () => {
      const at = nameOf();
      const text = Buffer.from("a sentence that no one else may read. ".repeat(5_000));
      await vault.put(at, streamOf(text), MAX);
      const stored = await (await raw(at)).read();
      expect(stored.length).toBeGreaterThan(text.length);
      expect(stored.includes("sentence")).toBe(false);
    });

    it.each([
      ["a changed byte", (bytes: Buffer) => (bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100), bytes)],
      ["a missing end", (bytes: Buffer) => bytes.subarray(0, bytes.length - 10)],
      ["a missing chunk at the end", (bytes: Buffer) => bytes.subarray(0, 8 + 2 * (CHUNK_BYTES + 16))],
      [
        "swapped chunks",
        (bytes: Buffer) => {
          const [size, at] = [CHUNK_BYTES + 16, 8];
          const one = bytes.subarray(at, at + size);
          const two = bytes.subarray(at + size, at + 2 * size);
          return Buffer.concat([bytes.subarray(0, at), two, one, bytes.subarray(at + 2 * size)]);
        },
      ],
    ])("refuses %s", async (_what, change) => {
      const at = nameOf();
      const stored = await vault.put(at, streamOf(randomBytes(2 * CHUNK_BYTES + 100)), MAX);
      const place = await raw(at);
      await place.write(Buffer.from(change(await place.read())));
      await expect(read(vault.read(at, stored))).rejects.toMatchObject({ code: "file_damaged" });
    });

    it("refuses the key of another object", async () => {
      const [one, two] = [nameOf(), nameOf()];
      const stored = await vault.put(one, streamOf(Buffer.from("one")), MAX);
      const other = await vault.put(two, streamOf(Buffer.from("two")), MAX);
      const mixed = read(vault.read(one, { ...stored, key: other.key }));
      await expect(mixed).rejects.toMatchObject({ code: "file_damaged" });
    });

    it.each([100, 12_000_000])("stores nothing when the stream breaks after %i bytes", async size => {
      const at = nameOf();
      function* broken() {
        yield randomBytes(size);
        throw new Error("the client went away");
      }
      await expect(vault.put(at, Readable.from(broken()), MAX)).rejects.toThrow("the client went away");
      await expect(read(objects.get(at))).rejects.toMatchObject({ code: "file_missing" });
      await objects.remove(at);
    });

    it("stops at the size limit without reading further", async () => {
      const at = nameOf();
      let given = 0;
      function* endless() {
        for (;;) {
          given++;
          yield randomBytes(CHUNK_BYTES);
        }
      }
      await expect(vault.put(at, Readable.from(endless()), { maxBytes: 1_000_000 })).rejects.toMatchObject({
        code: "file_too_large",
      });
      expect(given).toBeLessThan(50);
      await expect(read(objects.get(at))).rejects.toMatchObject({ code: "file_missing" });
    });

    it("ends when its signal aborts", async () => {
      const gone = new AbortController();
      function* slow() {
        yield randomBytes(10);
        gone.abort(new Error("enough"));
        yield randomBytes(10);
      }
      await expect(vault.put(nameOf(), Readable.from(slow()), { ...MAX, signal: gone.signal })).rejects.toThrow(
        "enough",
      );
    });

    it("removes objects, and accepts a removal of an object that does not exist", async () => {
      const at = nameOf();
      const stored = await vault.put(at, streamOf(Buffer.from("here")), MAX);
      await objects.remove(at);
      await objects.remove(at);
      await expect(read(vault.read(at, stored))).rejects.toMatchObject({ code: "file_missing" });
    });

    it("rejects names that lead outside of the store", async () => {
      for (const bad of ["../x/y", "a/../b", "a", "a/b/c", "/etc/passwd", "a/b.c"])
        await expect(objects.put(bad as ObjectName, streamOf())).rejects.toThrow(TypeError);
    });

    it("answers a ping", async () => {
      await expect(objects.ping()).resolves.toBeUndefined();
    });
  });
}
