import { words } from "../../messages/en-builder.ts";
import {
  type Command,
  type DocumentState,
  isStray,
  nameOf,
  pointerOf,
  valueAt,
  withValueAt,
} from "../document/index.ts";

/** A place where a text was found. */
export interface Hit {
  id: string;
  /** A JSON Pointer within the node. Empty for its id. */
  pointer: string;
  text: string;
  /** The position in the text where the match starts. */
  at: number;
}

/** The most places that are listed. */
const MAX_HITS = 500;

function textsIn(
  value: unknown,
  parts: readonly string[],
  visit: (text: string, parts: readonly string[]) => void,
): void {
  if (typeof value === "string") visit(value, parts);
  else if (typeof value === "object" && value !== null)
    for (const [key, part] of Object.entries(value)) textsIn(part, [...parts, key], visit);
}

/** Finds a text in the names, ids and values of steps. Case is ignored. */
export function find(state: DocumentState, wanted: string): Hit[] {
  const text = wanted.toLowerCase();
  const hits: Hit[] = [];
  if (text === "") return hits;
  for (const [id, node] of state.nodes) {
    if (isStray(id) || hits.length >= MAX_HITS) continue;
    const { name, data } = node;
    const add = (found: string, pointer: string) => {
      const at = found.toLowerCase().indexOf(text);
      if (at >= 0 && hits.length < MAX_HITS) hits.push({ id, pointer, text: found, at });
    };
    add(id, "");
    if (typeof name === "string") add(name, "/name");
    textsIn(data, ["data"], (found, parts) => add(found, pointerOf(parts)));
  }
  return hits;
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Replaces a text in names and values, but not in ids. Ids change by renaming, which also updates expressions. */
export const replaceIn = (hits: readonly Hit[], wanted: string, by: string): Command => {
  const places = hits.filter(({ pointer }) => pointer !== "");
  return {
    label: words.command.replace(places.length),
    apply(state) {
      const pattern = new RegExp(escaped(wanted), "gi");
      const nodes = new Map(state.nodes);
      for (const { id, pointer } of places) {
        const node = nodes.get(id);
        const text = valueAt(node, pointer);
        if (!node || typeof text !== "string") continue;
        nodes.set(
          id,
          withValueAt(
            node,
            pointer,
            text.replace(pattern, () => by),
          ) as typeof node,
        );
      }
      return places.length === 0 ? state : { ...state, nodes };
    },
  };
};

/** Describes a place: the step and the field. */
export const placeOf = (state: DocumentState, { id, pointer }: Hit): string =>
  [
    nameOf(state, id),
    pointer === ""
      ? words.finds.id
      : pointer
          .split("/")
          .slice(1)
          .filter(part => part !== "data")
          .join(" › "),
  ].join(" › ");
