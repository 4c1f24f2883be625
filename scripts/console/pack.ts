import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { BuiltFile } from "../../services/gateway/console/files.ts";
import type { Encoding } from "../../services/gateway/http/accepted-encoding.ts";

const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  json: "application/json; charset=utf-8",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
  png: "image/png",
};
/** Smaller files fit into one packet, so compression would not help. */
const MIN_BYTES = 1_024;
const PACKED = new Set(["woff2", "png"]);

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function packed(folder: string, path: string, body: Buffer): Promise<Encoding[]> {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } };
  const [br, gz] = await Promise.all([brotli(body, quality), gzipped(body, { level: 9 })]);
  writeFileSync(join(folder, `${path}.br`), br);
  writeFileSync(join(folder, `${path}.gz`), gz);
  return ["br", "gzip"];
}

/** Compresses the files of a build and describes them in `manifest.json`. The gateway serves them by that. */
export async function pack(folder: string, paths: readonly string[]): Promise<void> {
  const described = paths.toSorted().map(async (path): Promise<[string, BuiltFile]> => {
    const extension = path.slice(path.lastIndexOf(".") + 1);
    const type = TYPES[extension];
    if (type === undefined) throw new Error(`No media type is known for ${path}`);
    const body = readFileSync(join(folder, path));
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
    const small = body.length < MIN_BYTES || PACKED.has(extension);
    const encodings = small ? [] : await packed(folder, path, body);
    return [`/${path}`, { type, etag, immutable: path.startsWith("assets/"), encodings }];
  });
  const manifest = Object.fromEntries(await Promise.all(described));
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 1)}\n`);
}
