import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Encoding } from "../http/accepted-encoding.ts";

const DIST = join(import.meta.dirname, "../../../console/dist");

/** A file as `scripts/build-console.ts` describes it in the manifest. */
export interface BuiltFile {
  type: string;
  etag: string;
  /** The path contains a hash of the content, so that the file can be cached forever. */
  immutable: boolean;
  /** The encodings that exist in addition to the plain file. */
  encodings: Encoding[];
}

/** The body in each encoding that clients may accept. */
export interface ConsoleFile extends Omit<BuiltFile, "encodings"> {
  plain: Buffer;
  encoded: Partial<Record<Encoding, Buffer>>;
}

/** Every file of the console by its path, such as `/index.html`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const SUFFIX: Record<Encoding, string> = { br: ".br", gzip: ".gz" };

/** Reads the built console, about 2 MB, into memory. Undefined if it is not built. */
export function readConsole(folder = DIST): ConsoleFiles | undefined {
  let manifest: Record<string, BuiltFile>;
  try {
    manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as Record<string, BuiltFile>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const read = ([path, { encodings, ...file }]: [string, BuiltFile]): [string, ConsoleFile] => {
    const encoded = encodings.map(name => [name, readFileSync(join(folder, path + SUFFIX[name]))] as const);
    return [path, { ...file, plain: readFileSync(join(folder, path)), encoded: Object.fromEntries(encoded) }];
  };
  return new Map(Object.entries(manifest).map(read));
}
