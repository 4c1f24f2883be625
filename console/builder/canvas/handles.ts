import { isRecord } from "../../data/json.ts";
import { dataOf, handleOf, type RawEdge, type RawNode, valueAt } from "../document/index.ts";
import type { Handle, NodeType } from "../node-types.ts";
import { words } from "../../messages/en-builder.ts";

const plain = (id: string, title: string, isDefault = false): Handle => ({
  id,
  title,
  tone: "neutral",
  default: isDefault,
});

/** The handles that a type gives a node with this data. */
function ownHandles(node: RawNode, type: NodeType): Handle[] {
  const { handles } = type;
  if (Array.isArray(handles)) return handles;
  const list = valueAt(dataOf(node), `/${handles.from}`);
  const cases = (Array.isArray(list) ? list : []).flatMap((item: unknown): Handle[] => {
    if (!isRecord(item) || typeof item.id !== "string") return [];
    const title = typeof item.name === "string" && item.name !== "" ? item.name : item.id;
    return [plain(handles.id.replace("{id}", item.id), title)];
  });
  return [...cases, ...handles.plus.map(id => plain(id, words.handle(id)))];
}

/**
 * The handles of a node, in the order in which they are drawn. They include handles that the type does not know but an
 * edge uses. `edges` are the edges that leave the node.
 */
export function handlesOf(node: RawNode, type: NodeType | undefined, edges: readonly RawEdge[]): Handle[] {
  const own = type ? ownHandles(node, type) : [];
  const used = new Set(edges.map(handleOf));
  const shown = own.filter(({ id, sameAs }) => sameAs === undefined || used.has(id));
  const routes = isRecord(node.policy) && node.policy.onError === "route";
  const all = routes ? [...shown, { ...plain("error", words.handle("error")), tone: "bad" as const }] : shown;
  const known = new Set(all.map(({ id }) => id));
  const other = [...used].filter(id => !known.has(id)).map(id => plain(id, words.handle(id), id === "out" && !type));
  const complete = [...all, ...other];
  return !type && complete.length === 0 ? [plain("out", words.handle("out"), true)] : complete;
}

/** The handle that connects a step which is added behind a node. */
export const defaultHandle = (handles: readonly Handle[]): Handle | undefined =>
  handles.find(handle => handle.default) ?? handles[0];
