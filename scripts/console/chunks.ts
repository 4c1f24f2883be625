import type { Rolldown } from "vite";

type Groups = NonNullable<Exclude<NonNullable<Rolldown.OutputOptions["codeSplitting"]>, boolean>["groups"]>;
type InfoOf = (id: string) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;

/** What opens with files that others open with too. Each letter stands for places that do so alike. */
const PLACES: readonly (readonly [letter: string, end: RegExp])[] = [
  ["a", /\/answer\.html$/],
  ["l", /\/pages\/(home|runs|workflows)\/page\.tsx$/],
  ["r", /\/pages\/run\/page\.tsx$/],
  ["g", /\/graph\/run-graph\.tsx$/],
  ["b", /\/pages\/builder\/page\.tsx$/],
  ["i", /\/builder\/inspector\/inspector\.tsx$/],
];

const LETTERS = PLACES.map(([letter]) => letter).join("");
const ICON = /lucide-react/;

/** The places that share a file with a module, by their letters. Sets of places that share little have one file together. */
function sharing(id: string, letters: ReadonlySet<string>): string {
  const shared = [...LETTERS].filter(letter => letters.has(letter)).join("");
  if (shared.length === 1) return shared;
  if (letters.has("a")) return LETTERS;
  if (letters.has("l") || ICON.test(id)) return "lrgbi";
  return letters.has("r") && !letters.has("i") ? "rgb" : shared;
}

/** A module with all that it imports. */
function closureOf(id: string, infoOf: InfoOf): Set<string> {
  const reached = new Set([id]);
  // What is added on the way is visited too.
  for (const each of reached) for (const imported of infoOf(each)?.importedIds ?? []) reached.add(imported);
  return reached;
}

/** Every module that pages use, and which of them are loaded by themselves, later than the page. */
function usedBy(pages: readonly string[], infoOf: InfoOf): { all: Set<string>; later: Set<string> } {
  const later = new Set<string>();
  const all = new Set(pages);
  for (const id of all) {
    const info = infoOf(id);
    for (const each of info?.dynamicallyImportedIds ?? []) later.add(each);
    for (const each of [...(info?.importedIds ?? []), ...(info?.dynamicallyImportedIds ?? [])]) all.add(each);
  }
  return { all, later };
}

/** The name of the file for each module that is in one with others; those without a name get a file where they are used. */
function filesOf(pages: readonly string[], infoOf: InfoOf): ReadonlyMap<string, string> {
  const [first, ...others] = pages;
  const files = new Map([...closureOf(first!, infoOf)].map(id => [id, "first"]));
  for (const page of others) for (const id of closureOf(page, infoOf)) if (files.has(id)) files.set(id, "base");
  // The file "first" has the script that begins the first page, so no other page may load it, not even later.
  for (const id of usedBy(others, infoOf).all) if (files.get(id) === "first") files.set(id, "shared");
  const { later } = usedBy(pages, infoOf);
  const users = new Map<string, { count: number; letters: Set<string>; others: number }>();
  for (const entry of [...others, ...later]) {
    const letter = PLACES.find(([, end]) => end.test(entry))?.[0];
    for (const id of closureOf(entry, infoOf)) {
      const known = users.get(id) ?? { count: 0, letters: new Set(), others: 0 };
      users.set(id, known);
      known.count++;
      if (letter === undefined) known.others++;
      else known.letters.add(letter);
    }
  }
  for (const [id, { count, letters, others: more }] of users) {
    if (files.has(id) || pages.includes(id) || later.has(id) || count === 1 || letters.size === 0) continue;
    // What one large place shares with small ones, such as a menu, must not bring them all that it shares with others.
    if (letters.size === 1 && more > 0 && !letters.has("a") && !letters.has("l")) continue;
    files.set(id, `with-${sharing(id, letters)}`);
  }
  return files;
}

/** All sets of the places' letters, larger ones first. */
const SETS = [...LETTERS]
  .reduce((sets, letter) => [...sets, ...sets.map(set => set + letter)], [""])
  .slice(1)
  .toSorted((a, b) => b.length - a.length);

/**
 * How modules are put into files. Without this, each set of pages that share a module would make a file, most of them of one
 * icon: the builder would open with 70 requests, of which a browser sends six at a time without HTTP/2. No place of PLACES
 * loads more bytes for it.
 */
export function chunkGroups(pages: readonly string[]): Groups {
  let files: ReadonlyMap<string, string> | undefined;
  // What a module imports is used by at least the same places. A group takes along what its modules import, so the groups
  // with the most places come first.
  const names = ["base", "shared", "first", ...SETS.map(set => `with-${set}`)];
  return names.map((name, n) => ({
    name(id, modules) {
      files ??= filesOf(pages, each => modules.getModuleInfo(each));
      return files.get(id) === name ? name : null;
    },
    debugName: name,
    priority: names.length - n,
  }));
}
