import { type IndexDefinition, where } from "../adapters/store/define-collection.ts";
import { isUniqueConflict } from "../adapters/store/errors.ts";
import { optional, string } from "../adapters/store/field-types.ts";
import type { Collection, Doc, Filter } from "../adapters/store/port.ts";
import { AppError } from "../contracts/errors.ts";
import { slugify, suffixesOf, withSuffix } from "../core/slug.ts";

/** A document of a space with a permanent name. Documents of earlier versions get theirs when they are read. */
export interface Slugged extends Doc {
  spaceId: string;
  slug?: string | null;
}

/** The field and the index of a collection whose documents have slugs. */
export const SLUG_FIELDS = { slug: optional(string()) };
export const SLUG_INDEX: IndexDefinition = [
  { workspaceId: 1, spaceId: 1, slug: 1 },
  { unique: true, ...where("slug") },
];

/** The slugs for a text, the shortest first. The last one contains the whole end of the id, so it is certainly free. */
export function slugsFor(text: string, fallback: string, id: string): string[] {
  const own = slugify(text, fallback);
  return [own, ...suffixesOf(id).map(suffix => withSuffix(own, suffix))];
}

/** The slugs to try for a new document: only the requested one, or those for its text. */
export const slugsOf = (asked: string | undefined, ...from: Parameters<typeof slugsFor>): string[] =>
  asked === undefined ? slugsFor(...from) : [asked];

/**
 * Calls `insert` with the first free slug. If another document took the slug meanwhile, `insert` throws a unique
 * conflict, and the next slug is tried. `former` finds what an earlier try of the same request inserted.
 * @throws {AppError} slug_taken when no slug is free
 */
export async function withFreeSlug<D extends Slugged, R>(
  docs: Collection<D>,
  spaceId: string,
  slugs: readonly string[],
  insert: (slug: string) => Promise<R>,
  former: () => Promise<R | null> = () => Promise.resolve(null),
): Promise<R> {
  const isTaken = async (slug: string) => (await docs.count({ spaceId, slug } as Filter<D>, { limit: 1 })) > 0;
  for (const slug of slugs) {
    const refused = (await isTaken(slug)) ? null : await insert(slug).then(made => ({ made }), asConflict);
    if (refused && "made" in refused) return refused.made;
    const found = await former();
    if (found !== null) return found;
    if (refused && !(await isTaken(slug))) throw refused.error;
  }
  throw new AppError("slug_taken");
}

function asConflict(error: unknown): { error: unknown } {
  if (!isUniqueConflict(error)) throw error;
  return { error };
}

/** Adds slugs to documents of earlier versions, the oldest first. Returns the documents in their order. */
export async function fillSlugs<D extends Slugged>(
  docs: Collection<D>,
  found: readonly D[],
  textOf: (doc: D) => string,
  fallback: string,
): Promise<D[]> {
  const filled = new Map<string, D>();
  const missing = found.filter(({ slug }) => !slug).sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const doc of missing) {
    const unset = { id: doc.id, slug: null } as Filter<D>;
    const give = (slug: string) => docs.updateOne(unset, { $set: { slug } });
    const slugs = slugsFor(textOf(doc), fallback, doc.id);
    // Without a match, another request set the slug or removed the document. After a failure, the list has no slug for
    // it.
    const given = await withFreeSlug(docs, doc.spaceId, slugs, give).catch(() => doc);
    filled.set(doc.id, given ?? (await docs.get({ id: doc.id } as Filter<D>)) ?? doc);
  }
  return found.map(doc => filled.get(doc.id) ?? doc);
}
