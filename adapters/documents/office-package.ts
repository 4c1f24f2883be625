import yauzl from "yauzl";
import { DocumentError } from "./messages.ts";

const MAX_ENTRIES = 10_000;
const MAX_UNPACKED_BYTES = 256 * 1_048_576;
/**
 * The beginning of a compound file. The formats before 2007 are such files, and so is every package with a password.
 */
const COMPOUND = Buffer.from("d0cf11e0a1b11ae1", "hex");
const ENCRYPTED = Buffer.from("EncryptedPackage", "utf16le");
/**
 * The beginning of a declaration, which a package must not contain (ECMA-376-2, 9.1.4) and which could define entities.
 */
const DECLARATION = Buffer.from("<!DOCTYPE");
const XML = /\.(xml|rels)$/i;

const unreadable = (message: string) => new DocumentError("file_unreadable", message);
const encrypted = () => new DocumentError("file_encrypted", "The file is protected by a password.");
const tooLarge = () =>
  new DocumentError("file_too_large", `The file has more than ${MAX_UNPACKED_BYTES / 1_048_576} MiB when unpacked.`);

function refuseCompound(bytes: Buffer): void {
  if (!bytes.subarray(0, COMPOUND.length).equals(COMPOUND)) return;
  if (bytes.includes(ENCRYPTED)) throw encrypted();
  throw unreadable("The file has a format from before 2007. Save it as .xlsx or .docx.");
}

/** Unpacks an entry without storing it. Returns its true size in bytes. */
async function unpackedSize(zip: yauzl.ZipFile, entry: yauzl.Entry, maxBytes: number): Promise<number> {
  let size = 0;
  let tail = Buffer.alloc(0);
  const isXml = XML.test(entry.fileName);
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    if (!isXml) continue;
    const seen = Buffer.concat([tail, chunk]);
    if (seen.includes(DECLARATION)) throw unreadable("The file declares a document type, which is not allowed.");
    tail = seen.subarray(-DECLARATION.length);
  }
  return size;
}

async function checkEntries(zip: yauzl.ZipFile, main: string): Promise<void> {
  if (zip.entryCount > MAX_ENTRIES) throw new DocumentError("file_too_complex", "The file has too many parts.");
  let left = MAX_UNPACKED_BYTES;
  let hasMain = false;
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw encrypted();
    hasMain ||= entry.fileName.startsWith(main);
    if (entry.uncompressedSize > left) throw tooLarge();
    left -= await unpackedSize(zip, entry, left);
  }
  if (!hasMain) throw unreadable(`The file has no part ${main}: it has another format.`);
}

/**
 * Checks a package of Office Open XML before a library reads it: the number of entries, their true size, their paths,
 * and that nothing in it is encrypted or declares entities. The paths of its content begin with `main`.
 * @throws {DocumentError} when the file is not such a package, is protected by a password, or is too large
 */
export async function checkPackage(given: Uint8Array, main: "word/" | "xl/"): Promise<void> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  refuseCompound(bytes);
  try {
    await checkEntries(await yauzl.fromBufferPromise(bytes, { lazyEntries: true }), main);
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw unreadable("The file is broken: it is not a valid ZIP package.");
  }
}
