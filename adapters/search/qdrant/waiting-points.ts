import type { QdrantConnection } from "./connection.ts";
import { isWorkspace, type PointPayload } from "./points.ts";

/** COUNTED workspaces are counted, and SPACES of them are queried, each for its share. */
const COUNTED = 1_000;
const SPACES = 16;
const CARRIED = ["workspaceId", "id", "text", "revision"];
const PENDING = { key: "pending", match: { value: true } };

/**
 * At most `limit` points that wait for their dense vector. If more wait, they come from as many workspaces as possible.
 */
export async function waitingPoints(
  connection: QdrantConnection,
  collection: string,
  limit: number,
): Promise<PointPayload[]> {
  const scroll = async (count: number, ...more: object[]) => {
    const must = [PENDING, ...more];
    const request = { filter: { must }, limit: count, with_payload: CARRIED };
    return (await connection.run(client => client.scroll(collection, request))).points;
  };
  const waiting = await scroll(limit);
  const payloadsOf = (points: typeof waiting) => points.map(({ payload }) => payload as PointPayload);
  if (waiting.length < limit) return payloadsOf(waiting);
  const { hits } = await connection.run(client =>
    client.facet(collection, { key: "workspaceId", filter: { must: [PENDING] }, limit: COUNTED }),
  );
  const chosen = hits.sort(() => Math.random() - 0.5).slice(0, SPACES);
  const share = Math.ceil(limit / chosen.length);
  const drawn = await Promise.all(chosen.map(({ value }) => scroll(share, isWorkspace(String(value)))));
  return payloadsOf([...new Map([...drawn.flat(), ...waiting].map(point => [point.id, point])).values()]).slice(
    0,
    limit,
  );
}
