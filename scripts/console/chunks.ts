import type { Rolldown } from "vite";

type Groups = NonNullable<Exclude<NonNullable<Rolldown.OutputOptions["codeSplitting"]>, boolean>["groups"]>;
type InfoOf = (id: string) => { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null;

/** Modules that open with files that others use too. Each letter stands for places that do so in the same way. */
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

/** The places that share a file with a module, as letters. Sets of places that share little have one file together. */
function sharing(id: string, letters: ReadonlySet<string>): string {
  const shared = [...LETTERS].filter(letter => letters.has(letter)).join("");
  if (shared.length === 1) return shared;
  if (letters.has("a")) return LETTERS;
  if (letters.has("l") || ICON.test(id)) return "lrgbi";
  return letters.has("r") && !letters.has("i") ? "rgb" : shared;
}

/** A module and everything that it imports. */
function closureOf(id: string, infoOf: InfoOf): Set<string> {
  const reached = new Set([id]);
  // The loop also visits modules that are added meanwhile.
  for (const each of reached) for (const imported of infoOf(each)?.importedIds ?? []) reached.add(imported);
  return reached;
}

/** Every module that pages use, and those among them that are loaded separately, later than the page. */
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

/** The name of the shared file for each module. Modules without a name are put into the files that use them. */
function filesOf(pages: readonly string[], infoOf: InfoOf): ReadonlyMap<string, string> {
  const [first, ...others] = pages;
  const files = new Map([...closureOf(first!, infoOf)].map(id => [id, "first"]));
  for (const page of others) for (const id of closureOf(page, infoOf)) if (files.has(id)) files.set(id, "base");
  // The file "first" contains the script that starts the first page, so no other page may load it, not even later.
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
    // Modules that one large place shares with small ones, such as a menu, must not load everything that the large
    // place shares with others.
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
 * Decides how modules are grouped into files. Without this, each set of pages that share a module would create a file,
 * most of them with one icon. The builder would open with 70 requests, of which a browser without HTTP/2 sends six at
 * the same time. No place of PLACES loads more bytes because of this.
 */
export function chunkGroups(pages: readonly string[]): Groups {
  let files: ReadonlyMap<string, string> | undefined;
  // An imported module is used by at least the same places as its importer. A group includes what its modules import,
  // so the groups with the most places come first.
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
