import { build } from "vite";
import { type Chunk, weigh, type Weight } from "./budgets.ts";
import { viteConfig } from "./vite-config.ts";

export interface Bundle {
  /** The names of all files of the build. */
  files: string[];
  /** What each budget's pages load. */
  weights: Weight[];
}

/** Builds these pages. Files are written only where `outDir` is given. */
export async function bundle(pages: readonly string[], outDir?: string): Promise<Bundle> {
  // Tests run with another value, with which React would be built for development.
  process.env.NODE_ENV = "production";
  const config = viteConfig({ pages: [...pages], outDir: outDir ?? "console/dist" });
  const result = await build({ ...config, build: { ...config.build, write: outDir !== undefined } });
  const output = [result].flat().flatMap(one => ("output" in one ? one.output : []));
  const chunks: Chunk[] = output.flatMap(one =>
    one.type === "chunk" ? [{ ...one, css: [...(one.viteMetadata?.importedCss ?? [])] }] : [],
  );
  const styles = new Map(
    output.flatMap(one => (one.type === "asset" && one.fileName.endsWith(".css") ? [[one.fileName, one.source]] : [])),
  );
  return { files: output.map(({ fileName }) => fileName), weights: weigh(chunks, styles) };
}
