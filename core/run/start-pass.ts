import { frameAt, newFrame, type Frame } from "./frame.ts";
import { plan } from "./plan.ts";
import type { Turn } from "./turn.ts";

/** Starts the steps of an item or a round that have no sources. */
export function startPass(turn: Turn, frame: Frame, nodeId: string, index: number): void {
  const body = turn.nodeOf(nodeId)?.body;
  if (!body) return;
  const pass = newFrame([...frame.path, { nodeId, index }], frame, undefined, false);
  const { start, skip } = plan(body, pass);
  for (const node of skip) turn.addStep(pass, { event: "step.skipped", nodeId: node.id });
  for (const node of start) turn.start(pass, node.id);
  if (start.length > 0) return;
  const begun = frameAt(turn.state, pass.path);
  if (begun) turn.touched.set(begun, new Set());
}
