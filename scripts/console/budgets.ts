import { gzipSync } from "node:zlib";

/** The facts about a chunk of the build that the budgets need. */
export interface Chunk {
  fileName: string;
  /** The source file that the chunk was created for: an entry page, or a lazily imported module. */
  facadeModuleId: string | null;
  isEntry: boolean;
  imports: string[];
  code: string;
  css: string[];
}

export interface Budget {
  /** The pages that load these bytes, for messages. */
  name: string;
  /** The ends of the paths of the loaded modules: an entry, and the lazy pages that it shows. */
  loads: RegExp[];
  /** Modules that are loaded already and do not count. */
  over?: RegExp[];
  /** KiB, gzip. */
  js: number;
  css: number;
}

export const BUDGETS: readonly Budget[] = [
  {
    name: "the first page after sign-in",
    loads: [/console\/index\.html$/, /pages\/(home|runs|workflows)\/page\.tsx$/],
    js: 230,
    css: 20,
  },
  {
    name: "a run, with the first page",
    loads: [/console\/index\.html$/, /pages\/(home|runs|workflows|run)\/page\.tsx$/],
    // The first page, plus 60 for the run page. Its canvas is loaded when the graph is shown.
    js: 290,
    css: 26,
  },
  {
    name: "the builder, with the first page",
    loads: [/console\/index\.html$/, /pages\/(home|runs|workflows|builder)\/page\.tsx$/],
    // The first page, plus less than 160 for the builder until it can be used.
    js: 352,
    css: 24,
  },
  {
    name: "the builder with a step in its inspector",
    loads: [
      /console\/index\.html$/,
      /pages\/(home|runs|workflows|builder)\/page\.tsx$/,
      /builder\/inspector\/inspector\.tsx$/,
    ],
    // The first page, plus less than 160, with the allowed excess of 5 %.
    js: 386,
    css: 32,
  },
  {
    name: "a run with its graph",
    loads: [/console\/index\.html$/, /pages\/(home|runs|workflows|run)\/page\.tsx$/, /graph\/run-graph\.tsx$/],
    // A part of it are modules of the canvas that only the builder uses, because both share one chunk of the library.
    js: 318,
    css: 28,
  },
  {
    name: "the editor, at the first focus of an expression",
    loads: [/codemirror\/mount\.ts$/],
    over: [/console\/index\.html$/, /pages\/builder\/page\.tsx$/, /builder\/inspector\/inspector\.tsx$/],
    js: 165,
    css: 1,
  },
  { name: "a question on a phone", loads: [/console\/answer\.html$/], js: 115, css: 10 },
];

export interface Weight {
  name: string;
  js: number;
  css: number;
  faults: string[];
}

const KIB = 1_024;
const gzipped = (text: string | Uint8Array) => gzipSync(text, { level: 9 }).length;

/** These chunks, and the chunks that they load at once. */
function closure(chunks: ReadonlyMap<string, Chunk>, first: readonly Chunk[]): Set<Chunk> {
  const all = new Set(first);
  // The loop also visits chunks that are added meanwhile.
  for (const chunk of all) for (const name of chunk.imports) if (chunks.has(name)) all.add(chunks.get(name)!);
  return all;
}

/** The weight of the existing pages of each budget, with a sentence for each excess. */
export function weigh(chunks: readonly Chunk[], styles: ReadonlyMap<string, string | Uint8Array>): Weight[] {
  const byName = new Map(chunks.map(chunk => [chunk.fileName, chunk]));
  const madeFor = (ends: readonly RegExp[]) =>
    chunks.filter(({ facadeModuleId: id }) => id !== null && ends.some(end => end.test(id)));
  return BUDGETS.flatMap(({ name, loads, over = [], js: maxJs, css: maxCss }) => {
    const [first, before] = [madeFor(loads), madeFor(over)];
    if (first.length === 0 || ![...first, ...before].some(({ isEntry }) => isEntry)) return [];
    const loaded = [...closure(byName, first).difference(closure(byName, before))];
    const sheets = new Set(loaded.flatMap(({ css }) => css));
    const js = loaded.reduce((sum, { code }) => sum + gzipped(code), 0) / KIB;
    const css = [...sheets].reduce((sum, sheet) => sum + gzipped(styles.get(sheet) ?? ""), 0) / KIB;
    const excess = (what: string, size: number, max: number) =>
      size > max ? [`${name} loads ${size.toFixed(1)} KiB of ${what}, more than ${max} KiB`] : [];
    return [{ name, js, css, faults: [...excess("JavaScript", js, maxJs), ...excess("CSS", css, maxCss)] }];
  });
}
