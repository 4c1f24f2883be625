import { type DocumentState, isStray, parentOf, positionOf } from "./document/index.ts";

/**
 * The steps without a place of their own. They have none in the definition, or share it with another step of the
 * container.
 */
export function unplaced(state: DocumentState): Set<string> {
  const seen = new Set<string>();
  const levels = new Set<string>();
  const stacked = new Set<string>();
  const missing = new Set<string>();
  for (const [id, node] of state.nodes) {
    if (isStray(id)) continue;
    const [at, level] = [positionOf(node), parentOf(node) ?? ""];
    const key = at && `${level}\n${at.x}\n${at.y}`;
    levels.add(level);
    if (key === undefined) missing.add(id);
    else if (seen.has(key)) stacked.add(id);
    else seen.add(key);
  }
  // If all steps of each container share one place, none of them was placed.
  if (stacked.size > 0 && seen.size === levels.size) return new Set([...state.nodes.keys()].filter(id => !isStray(id)));
  return new Set([...missing, ...stacked]);
}
