import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { InlineConfig, Plugin } from "vite";
import * as definition from "../../sdk/definition.ts";
import { chunkGroups } from "./chunks.ts";
import { earlyFiles } from "./early-files.ts";
import { iconFiles } from "./icons.ts";
import { usedCalls } from "./used-calls.ts";

export const ROOT = join(import.meta.dirname, "../../console");
const SDK_DEFINITION = join(import.meta.dirname, "../../sdk/definition.ts");

const STORIES = "/stories.html";

/** The sources of the page. */
const sources = () =>
  globSync("**/*.{ts,tsx}", { cwd: ROOT, exclude: ["dist/**"] }).map(path => readFileSync(join(ROOT, path), "utf8"));

/**
 * The SDK's tables as plain values, without the summaries and error lists of the route table. A build contains only the
 * calls that the page makes, because every visitor loads them.
 */
const sdkTables = (build: boolean): Plugin => ({
  name: "weft:sdk-tables",
  load(id) {
    if (id !== SDK_DEFINITION) return null;
    const { ENDPOINTS, ...others } = definition;
    const used = build ? usedCalls(sources(), Object.keys(ENDPOINTS)) : undefined;
    const kept = Object.entries(ENDPOINTS).filter(([name]) => used?.has(name) ?? true);
    const code = Object.entries({ ENDPOINTS: Object.fromEntries(kept), ...others }).map(
      ([name, table]) => `export const ${name} = ${JSON.stringify(table)};`,
    );
    return { code: code.join("\n"), moduleType: "js" };
  },
});

/** The first stylesheet that loads decides the order of layers, but chunks load in any order. */
const layerOrder: Plugin = {
  name: "weft:layer-order",
  enforce: "pre",
  transform: (code, id) => (id.endsWith(".css") ? `@layer reset, base, ui, page;\n${code}` : null),
};

const MODULE = /<script type="module" crossorigin src="([^"]+)"><\/script>/;

/**
 * Runs before the first paint, so that a chosen theme applies at once. A module would run too late. In a build it also
 * starts the page's own module after the first paint, because running it blocks the thread; the browser fetches it
 * meanwhile.
 */
const early = (build: boolean): Plugin => ({
  name: "weft:early",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle, filename }) {
      const emitted = Object.keys(bundle ?? {}).find(name => /^assets\/early-[\w-]+\.js$/.test(name));
      const main = build ? MODULE.exec(html)?.[1] : undefined;
      if (main === undefined) return [{ tag: "script", attrs: { src: "/early.js" }, injectTo: "head" }];
      const script = { tag: "script", attrs: { src: `/${emitted}`, "data-main": main }, injectTo: "head" as const };
      return {
        html: html.replace(MODULE, `<link rel="modulepreload" crossorigin href="${main}">`),
        tags: bundle && filename.endsWith("/index.html") ? [earlyFiles(bundle), script] : [script],
      };
    },
  },
  buildStart() {
    if (!build) return;
    const source = readFileSync(join(ROOT, "early.js"), "utf8");
    this.emitFile({ type: "asset", name: "early.js", source });
  },
});

/** The development server serves the page for a single question at its addresses, like the gateway. */
const questionPage: Plugin = {
  name: "weft:question-page",
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (request.url?.startsWith("/a/") && request.headers.accept?.includes("text/html")) request.url = "/answer.html";
      next();
    });
  },
};

/** The development server serves the stories of components at /stories.html, in the document of the page. */
const stories: Plugin = {
  name: "weft:stories",
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (request.url === STORIES) request.url = "/index.html";
      next();
    });
  },
  transformIndexHtml: {
    order: "pre",
    handler: (html, { originalUrl }) =>
      originalUrl === STORIES ? html.replace("./main.tsx", "./stories/main.tsx").replace("Weft<", "Stories<") : html,
  },
};

/** Vite's settings for a build of these pages, or for the development server when `outDir` is not given. */
export function viteConfig({ pages = ["index.html"], outDir }: { pages?: string[]; outDir?: string }): InlineConfig {
  return {
    root: ROOT,
    configFile: false,
    publicDir: false,
    appType: "spa",
    logLevel: "warn",
    oxc: { jsx: { runtime: "automatic", importSource: "react" } },
    css: { transformer: "lightningcss", lightningcss: { cssModules: { pattern: "[local]_[hash]" } } },
    server: { fs: { allow: [join(ROOT, "..")] } },
    plugins: [
      layerOrder,
      iconFiles(),
      sdkTables(outDir !== undefined),
      questionPage,
      stories,
      early(outDir !== undefined),
    ],
    build: {
      ...(outDir !== undefined && { outDir }),
      emptyOutDir: true,
      target: "baseline-widely-available",
      cssMinify: "lightningcss",
      // The page's policy forbids inlined data addresses of scripts and styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: pages.map(page => join(ROOT, page)),
        output: { codeSplitting: { groups: chunkGroups(pages.map(page => join(ROOT, page))) } },
        // Packages mark modules for rendering on servers. Here all modules run in the browser.
        onLog: (level, log, handle) => (log.code === "MODULE_LEVEL_DIRECTIVE" ? undefined : handle(level, log)),
      },
    },
  };
}
