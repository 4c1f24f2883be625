import type { HtmlTagDescriptor, Rolldown } from "vite";

type Bundle = Rolldown.OutputBundle;

/** The most used pages, by address, and the modules that are loaded for each. */
const PAGES: readonly (readonly [address: string, modules: readonly string[]])[] = [
  ["^/w/[^/]+/s/[^/]+/f/[^/]+$", ["pages/builder/page.tsx"]],
  ["^/w/[^/]+/s/[^/]+/runs/[^/]+$", ["pages/run/page.tsx", "run/graph/run-graph.tsx"]],
  ["^/w/[^/]+/runs$", ["pages/runs/page.tsx"]],
  ["^/w/[^/]+/workflows$", ["pages/workflows/page.tsx"]],
  ["^/w/[^/]+$", ["pages/home/page.tsx"]],
];

const chunksIn = (bundle: Bundle) => Object.values(bundle).filter(one => one.type === "chunk");

/** A file of the build, and everything that it needs. */
function filesOf(bundle: Bundle, end: string): Set<string> {
  const chunk = chunksIn(bundle).find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/console/${end}`));
  if (!chunk) throw new Error(`The build has no file for ${end}`);
  const files = new Set([chunk.fileName]);
  // The loop also visits files that are added meanwhile.
  for (const name of files) {
    const one = bundle[name];
    if (one?.type !== "chunk") continue;
    for (const other of [...one.imports, ...(one.viteMetadata?.importedCss ?? [])]) files.add(other);
  }
  return files;
}

/**
 * A tag that lists the files of the most used pages. `early.js` requests the files of the page at the current address.
 * Otherwise the first scripts would request them only after they have run.
 */
export function earlyFiles(bundle: Bundle): HtmlTagDescriptor {
  const first = filesOf(bundle, "index.html");
  const pages = PAGES.map(([address, modules]) => {
    const files = modules.flatMap(end => [...filesOf(bundle, end).difference(first)]);
    return [address, [...new Set(files)]];
  });
  return { tag: "meta", attrs: { name: "weft-files", content: JSON.stringify(pages) }, injectTo: "head" };
}
