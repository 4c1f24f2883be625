import { randomUUID } from "node:crypto";
import type { Search, SearchKind, SearchResult, TenantIndex, Vector } from "../../adapters/search/port.ts";

export const EMBEDDER = { id: "test-3", dimension: 3 };
export const vector = (...values: number[]): Vector => ({ embedder: EMBEDDER.id, values });
export const idsOf = ({ hits }: SearchResult): string[] => hits.map(({ id }) => id);

/** What a test works with: a workspace of its own. */
export interface Bench {
  search: Search;
  workspaceId: string;
  index: TenantIndex;
}

export const benchOf = (search: Search, kind: SearchKind): Bench => {
  const workspaceId = randomUUID();
  return { search, workspaceId, index: search.tenant(kind, workspaceId) };
};

/** As reconciling does once it has put in every document. */
export async function fill(search: Search, kind: SearchKind): Promise<void> {
  const making = await search.begun(kind);
  if (making !== null) await search.filled(kind, making);
}
