import { isSettled } from "../store/deliver.ts";
import { createHash } from "node:crypto";
import { handle } from "../../../contracts/call.ts";
import type { ResumeState } from "../../../contracts/actions/signals.ts";
import { type Address, isActive, nodeAt } from "../../../core/run/frame.ts";
import { isFinal, type RunState } from "../../../core/run/state.ts";
import { graphOf } from "../engine/workflow-cache.ts";
import { type ExecutionDoc, Executions } from "../store/model.ts";
import { journalOf } from "../store/read-execution.ts";
import { readResumeToken } from "../store/resume-token.ts";
import { type SignalDoc, Signals } from "../store/signal-model.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

export const idOf = (...parts: string[]): string => createHash("sha256").update(parts.join("\n")).digest("base64url");

/** Whether a repeated signal has nothing left to do. */
export const isDelivered = ({ delivered }: Pick<SignalDoc, "delivered">): boolean => delivered !== undefined;

/** Whether the item or the round around a step has ended. What was in it is no longer known then. */
function isPast(state: RunState, { path = [] }: Address): boolean {
  return path.some(({ nodeId, index }, depth) => {
    const around = nodeAt(state, { nodeId, path: path.slice(0, depth) });
    if (!around) return false;
    const { map } = around;
    if (!map || !isActive(around)) return !isActive(around);
    return index < (map.round?.index ?? map.next) && !map.frames.has(index);
  });
}

/** The state of the step of a link, if no signal records that the link was used. */
function stateOf(state: RunState, doc: ExecutionDoc, at: Address, signalId: string): ResumeState {
  if (isFinal(state.status)) return "over";
  const node = nodeAt(state, at);
  if (!node) return isPast(state, at) ? "over" : "open";
  if (node.signal === signalId) return "used";
  if (isActive(node)) return isSettled(doc, at, node.attempt) ? "over" : "open";
  return node.handle === "timeout" || node.error?.code === "wait_expired" ? "expired" : "over";
}

/** `sent` means that the address was called, but the step has not received the call yet. */
export type Opened =
  | { state: Exclude<ResumeState, "open"> }
  | { state: "open"; sent: boolean; doc: ExecutionDoc; at: Address; signalId: string };

/** Resolves a token of `$resumeUrl`, and says whether a call of the address would still end the wait. */
export async function openAddress(service: ExecutionsService, token: string): Promise<Opened> {
  const named = readResumeToken(service.hashKey, token);
  if (!named) return { state: "unknown" };
  const { workspaceId, executionId, at } = named;
  const signalId = idOf(workspaceId, "link", token);
  const [doc, signal] = await Promise.all([
    service.store.tenant(Executions, workspaceId).get({ id: executionId }),
    service.store.tenant(Signals, workspaceId).get({ id: signalId }),
  ]);
  if (signal && isDelivered(signal)) return { state: "used" };
  if (!doc || isFinal(doc.status)) return { state: signal ? "used" : "over" };
  const open = { state: "open" as const, doc, at, signalId };
  if (signal) return { ...open, sent: true };
  const state = stateOf(await service.reads.run(() => journalOf(service, doc).fold()), doc, at, signalId);
  return state === "open" ? { ...open, sent: false } : { state };
}

/** The name of a step, for the page at its address. The page shows nothing else of the workflow. */
export const readResume = handle<"executions.resume.read", ExecutionsService>(
  "executions.resume.read",
  async function (ctx) {
    const found = await openAddress(this, ctx.params.token);
    if (found.state !== "open") return { state: found.state };
    if (found.sent) return { state: "used" };
    const { doc, at } = found;
    const workflow = await this.engine.definitions.get(doc.workspaceId, doc.workflowId, doc.workflowVersion);
    const step = graphOf(workflow).byId.get(at.nodeId)?.name;
    return { state: "open", ...(step && { step }) };
  },
);
