import type { WireChange } from "./protocol.ts";

type Path = readonly string[];
type Node = Record<string, unknown>;

/** The change cannot be applied to the values of the document. */
export class ChangeError extends Error {}

/**
 * Changes `document` in place, as MongoDB would.
 * @throws {ChangeError} when the change does not fit the document.
 */
export function applyChange(document: Node, change: WireChange): void {
  for (const [path, value] of change.set) parentOf(document, path)[last(path)] = value;
  for (const [path, by] of change.inc) {
    const parent = parentOf(document, path);
    const value = parent[last(path)] ?? (parent[last(path)] === null ? null : 0);
    if (typeof value !== "number") throw new ChangeError(`${path.join(".")} is not a number to $inc`);
    if (!Number.isFinite(value + by)) throw new ChangeError(`${path.join(".")} would leave the range of numbers`);
    parent[last(path)] = value + by;
  }
  for (const [path, item] of change.push) {
    const parent = parentOf(document, path);
    const list = parent[last(path)] ?? [];
    if (!Array.isArray(list)) throw new ChangeError(`${path.join(".")} is not a list to $push to`);
    parent[last(path)] = [...(list as unknown[]), item];
  }
  for (const path of change.unset) {
    const parent = path.slice(0, -1).reduce<Node | undefined>((node, key) => node?.[key] as Node | undefined, document);
    if (parent) delete parent[last(path)];
  }
}

const last = (path: Path): string => path.at(-1) as string;

function parentOf(document: Node, path: Path): Node {
  let node = document;
  for (const key of path.slice(0, -1)) node = (node[key] ??= {}) as Node;
  return node;
}
