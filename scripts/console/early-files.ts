import type { HtmlTagDescriptor, Rolldown } from "vite";

type Bundle = Rolldown.OutputBundle;

/** The pages that people open most, by their addresses, with the modules that are loaded for each. */
const PAGES: readonly (readonly [address: string, modules: readonly string[]])[] = [
  ["^/w/[^/]+/s/[^/]+/f/[^/]+$", ["pages/builder/page.tsx"]],
  ["^/w/[^/]+/s/[^/]+/runs/[^/]+$", ["pages/run/page.tsx", "run/graph/run-graph.tsx"]],
  ["^/w/[^/]+/runs$", ["pages/runs/page.tsx"]],
  ["^/w/[^/]+/workflows$", ["pages/workflows/page.tsx"]],
  ["^/w/[^/]+$", ["pages/home/page.tsx"]],
];

const chunksIn = (bundle: Bundle) => Object.values(bundle).filter(one => one.type === "chunk");

/** A file of the build with all that it needs. */
function filesOf(bundle: Bundle, end: string): Set<string> {
  const chunk = chunksIn(bundle).find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/console/${end}`));
  if (!chunk) throw new Error(`The build has no file for ${end}`);
  const files = new Set([chunk.fileName]);
  // What is added on the way is visited too.
  for (const name of files) {
    const one = bundle[name];
    if (one?.type !== "chunk") continue;
    for (const other of [...one.imports, ...(one.viteMetadata?.importedCss ?? [])]) files.add(other);
  }
  return files;
}

/**
 * A tag that names the files of each page that people open most. `early.js` asks for those of the page at the address
 * before the first scripts have run, which otherwise ask for them.
 */
export function earlyFiles(bundle: Bundle): HtmlTagDescriptor {
  const first = filesOf(bundle, "index.html");
  const pages = PAGES.map(([address, modules]) => {
    const files = modules.flatMap(end => [...filesOf(bundle, end).difference(first)]);
    return [address, [...new Set(files)]];
  });
  return { tag: "meta", attrs: { name: "weft-files", content: JSON.stringify(pages) }, injectTo: "head" };
}
