import { build, type Rolldown } from "vite";
import { type Chunk, weigh, type Weight } from "./budgets.ts";
import { viteConfig } from "./vite-config.ts";

export interface Bundle {
  /** The names of all files of the build. */
  files: string[];
  /** The weights of each budget's pages. */
  weights: Weight[];
}

/**
 * Checks that pages are separate, because the script that starts a page runs in each document that loads its file.
 * @throws {Error} when a page loads the file that starts another page, at once or later
 */
function checkEntries(chunks: readonly Rolldown.OutputChunk[]): void {
  const byName = new Map(chunks.map(chunk => [chunk.fileName, chunk]));
  for (const entry of chunks.filter(({ isEntry }) => isEntry)) {
    const loaded = new Set([entry.fileName]);
    // The loop also visits files that are added meanwhile.
    for (const name of loaded) {
      const { imports = [], dynamicImports = [] } = byName.get(name) ?? {};
      for (const each of [...imports, ...dynamicImports]) loaded.add(each);
      if (name !== entry.fileName && byName.get(name)?.isEntry)
        throw new Error(`${entry.fileName} loads the page ${name}`);
    }
  }
}

/** Builds these pages. Files are written only if `outDir` is given. */
export async function bundle(pages: readonly string[], outDir?: string): Promise<Bundle> {
  // Tests set another value, with which React would be built for development.
  process.env.NODE_ENV = "production";
  const config = viteConfig({ pages: [...pages], outDir: outDir ?? "console/dist" });
  const result = await build({ ...config, build: { ...config.build, write: outDir !== undefined } });
  const output = [result].flat().flatMap(one => ("output" in one ? one.output : []));
  const built = output.filter(one => one.type === "chunk");
  checkEntries(built);
  const chunks: Chunk[] = built.map(one => ({ ...one, css: [...(one.viteMetadata?.importedCss ?? [])] }));
  const styles = new Map(
    output.flatMap(one => (one.type === "asset" && one.fileName.endsWith(".css") ? [[one.fileName, one.source]] : [])),
  );
  return { files: output.map(({ fileName }) => fileName), weights: weigh(chunks, styles) };
}
