import type { NodeKind } from "../kind.ts";
import { batchOutput, type Loops } from "../loops.ts";
import { objectAt } from "../translation.ts";
import { Untranslatable } from "../untranslatable.ts";

/**
 * "Loop over items" becomes a map with the loop's body inside. The next steps get the items that returned to the loop.
 */
export const loopKind = (loops: Loops): NodeKind => ({
  translate(node, t) {
    const { why } = loops.get(node.name) ?? {};
    if (why !== undefined) throw new Untranslatable(`a loop: ${why}`);
    const { parameters, typeVersion } = node;
    if (objectAt(parameters, "options").reset) throw new Untranslatable("a loop that begins again while it runs");
    const size = parameters.batchSize ?? (typeVersion >= 3 ? 1 : 10);
    if (size !== 1) t.warn("The loop takes batches of several items in n8n. Here it takes one item at a time.");
    t.flows.turn(node.name)?.warnings.forEach(warning => t.warn(warning));
    // The brackets turn a single value into a list.
    return { type: "map", data: { items: `{{ [${t.own().jsonata}] }}`, concurrency: 1 } };
  },
  handle: (node, output) => (output === batchOutput(node) ? "loop" : "out"),
  outputs: () => 2,
  takesLists: true,
});
