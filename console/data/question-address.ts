import type { Execution } from "../../sdk/definition.ts";

export type Suspension = NonNullable<Execution["suspensions"]>[number];
export type ItemPath = NonNullable<Suspension["path"]>;

/** Identifies a question of a run. Without a step it is the first open one. */
export interface Asked {
  nodeId?: string | undefined;
  path?: ItemPath | undefined;
  question?: string | undefined;
}

/** Writes a path as `each:17,inner:2`, outermost map first. Returns undefined outside of maps. */
export const pathText = (path: ItemPath | undefined): string | undefined =>
  path?.length ? path.map(({ nodeId, index }) => `${encodeURIComponent(nodeId)}:${index}`).join(",") : undefined;

export function pathOf(text: string | undefined): ItemPath | undefined {
  const parts = (text ?? "").split(",").filter(Boolean);
  const path = parts.map(part => {
    const colon = part.lastIndexOf(":");
    return { nodeId: decode(part.slice(0, colon)), index: Number(part.slice(colon + 1)) };
  });
  return path.length > 0 && path.every(({ index }) => Number.isInteger(index)) ? path : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of the question's own page, which is made for phones. */
export function questionPath(run: Pick<Execution, "workspaceId" | "id">, { nodeId, path, question }: Asked): string {
  const search = new URLSearchParams();
  const p = pathText(path);
  if (nodeId !== undefined) search.set("n", nodeId);
  if (p !== undefined) search.set("p", p);
  if (question !== undefined) search.set("q", question);
  return `/a/${run.workspaceId}/${run.id}${search.size > 0 ? `?${search}` : ""}`;
}

/** A key of the question that stays the same each time the run is read. */
export const questionKey = ({ nodeId, path, question }: Asked): string =>
  [nodeId, pathText(path), question].map(part => part ?? "").join("|");

export function findQuestion(open: readonly Suspension[], asked: Asked): Suspension | undefined {
  if (asked.nodeId === undefined) return open[0];
  const p = pathText(asked.path);
  return open.find(
    one =>
      one.nodeId === asked.nodeId &&
      pathText(one.path) === p &&
      (asked.question === undefined || one.question === asked.question),
  );
}

