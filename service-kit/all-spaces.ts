import { call } from "../contracts/call.ts";
import { MAX_PAGE } from "../contracts/primitives.ts";

/** The most spaces that a list of a workspace examines. */
const MAX_SPACES = 1_000;

/** The ids of the workspace's spaces, or only the given one. The call checks the caller's rights. */
export async function spacesOf(
  from: { call: unknown },
  { workspaceId, spaceId }: { workspaceId: string; spaceId?: string | undefined },
): Promise<string[]> {
  if (spaceId !== undefined) return [spaceId];
  const ids: string[] = [];
  for (let cursor: string | undefined; ids.length < MAX_SPACES;) {
    const page = await call(from, "pods.spaces.list", { workspaceId, limit: MAX_PAGE, cursor });
    ids.push(...page.items.map(({ id }) => id));
    if (page.next === null) break;
    cursor = page.next;
  }
  return ids;
}
