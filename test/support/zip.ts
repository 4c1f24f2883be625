import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  name: string;
  data: Buffer | string;
  /** False facts about the entry in the archive. */
  says?: { size?: number; encrypted?: boolean };
}

const u16 = (...values: number[]) => Buffer.from(values.flatMap(value => [value & 0xff, value >> 8]));
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** A ZIP archive (APPNOTE 6.3.10), also with content that libraries would not write. */
export function zip(entries: readonly ZipEntry[]): Buffer<ArrayBuffer> {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, data, says = {} } of entries) {
    const bytes = Buffer.from(data);
    const packed = deflateRawSync(bytes, { level: 9 });
    const named = Buffer.from(name);
    // UTF-8 names, deflate, and a fixed time.
    const about = Buffer.concat([
      u16(20, 0x800 | (says.encrypted ? 1 : 0), 8, 0, 0x21),
      ...[u32(crc32(bytes)), u32(packed.length), u32(says.size ?? bytes.length), u16(named.length, 0)],
    ]);
    const header = Buffer.concat([u32(0x04034b50), about, named]);
    central.push(Buffer.concat([u32(0x02014b50), u16(20), about, u16(0, 0, 0), u32(0), u32(offset), named]));
    local.push(header, packed);
    offset += header.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const count = entries.length;
  const end = Buffer.concat([u32(0x06054b50), u16(0, 0, count, count), u32(directory.length), u32(offset), u16(0)]);
  return Buffer.concat([...local, directory, end]);
}
