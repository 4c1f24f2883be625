import type { SearchHit } from "../adapters/search/port.ts";

/**
 * The hits whose documents exist, with the documents, in order. `gone` is called when some are missing: the index is
 * outdated.
 */
export async function confirmedHits<T extends { id: string }>(
  hits: readonly SearchHit[],
  read: (ids: string[]) => Promise<readonly T[]>,
  gone: () => void = () => undefined,
): Promise<{ hit: SearchHit; document: T }[]> {
  if (hits.length === 0) return [];
  const documents = new Map((await read(hits.map(({ id }) => id))).map(document => [document.id, document]));
  const confirmed = hits.flatMap(hit => {
    const document = documents.get(hit.id);
    return document ? [{ hit, document }] : [];
  });
  if (confirmed.length < hits.length) gone();
  return confirmed;
}
