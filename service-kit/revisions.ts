import { optional, number } from "../adapters/store/field-types.ts";
import type { Collection, Doc, Filter } from "../adapters/store/port.ts";
import { AppError } from "../contracts/errors.ts";
import { matchesVersion } from "../core/if-match.ts";

/** Each failed attempt means that another request changed the document. */
const MAX_ATTEMPTS = 20;

/** The field of a collection whose documents count their changes by clients. Documents of earlier versions lack it. */
export const REVISION_FIELDS = { revision: optional(number()) };

type Revised = Doc & { revision?: number | null | undefined };

export const revisionOf = (doc: { revision?: number | null | undefined } | null): number => doc?.revision ?? 0;

/** Counts a change. */
export const NEXT_REVISION = { revision: 1 } as const;

/** Matches the document only in the state in which it was read. */
export const unchanged = ({ id, revision = null }: Revised) => ({ id, revision });

/** @throws {AppError} precondition_failed when the caller knows another state of the document */
export function ensureRevision(ifMatch: string | undefined, doc: Parameters<typeof revisionOf>[0]): void {
  if (ifMatch !== undefined && !matchesVersion(ifMatch, revisionOf(doc))) throw new AppError("precondition_failed");
}

/**
 * Reads a document, checks `ifMatch` and calls `change` with it. Repeats this until `change` returns a result. Null
 * means that the document has changed meanwhile.
 * @throws {AppError} precondition_failed, conflict, and the error of `find` if there is no document
 */
export async function changeRevised<D extends Revised, R>(
  find: () => Promise<D>,
  ifMatch: string | undefined,
  change: (old: D) => Promise<R | null>,
): Promise<R> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const old = await find();
    ensureRevision(ifMatch, old);
    const changed = await change(old);
    if (changed !== null) return changed;
  }
  throw new AppError("conflict");
}

/** Like `changeRevised`, but removes the document. */
export const removeRevised = <D extends Revised>(
  docs: Pick<Collection<D>, "remove">,
  find: () => Promise<D>,
  ifMatch: string | undefined,
): Promise<true> =>
  changeRevised(find, ifMatch, async old =>
    (await docs.remove(unchanged(old) as unknown as Filter<D>)) > 0 ? true : null,
  );
