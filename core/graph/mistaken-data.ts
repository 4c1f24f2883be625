import type { Faults } from "./faults.ts";
import type { GraphNode } from "./graph.ts";
import { NODE_TYPES, type NodeType } from "./node-types.ts";

/** Warns of step data that is valid but probably not intended. */
export function warnOfMistakenData({ id, type, data, index, body, disabled }: GraphNode, faults: Faults): void {
  if (disabled) return;
  const at = ["nodes", index];
  const { conditions = [], asksBy, inRounds, takesCalls }: NodeType = NODE_TYPES[type];
  for (const field of conditions) {
    const text = data[field];
    if (typeof text !== "string" || text.includes("{{")) continue;
    const message = `A text without an expression ${text === "" ? "never" : "always"} holds. Write \`{{ ${text || "…"} }}\` to evaluate it.`;
    faults.warn(id, [...at, "data", field], message);
  }
  const asked = asksBy === undefined ? undefined : data[asksBy];
  if (typeof asked === "string" && asked.trim() === "")
    faults.warn(id, [...at, "data", asksBy!], "This is empty, so the step asks nothing.");
  if (body?.nodes.length === 0) {
    const each = inRounds ? "round" : "item";
    faults.warn(id, at, `Nothing is inside this ${type}, so no step runs for its ${each}s.`);
  }
  if (takesCalls && data.key !== undefined && data.event === undefined)
    faults.warn(id, [...at, "data", "key"], "Means nothing without `event`: the step waits for no signal.");
}
