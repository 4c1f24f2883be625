import { v7 as uuid } from "uuid";
import { hint } from "../../../contracts/call.ts";
import type { ToolResult } from "../../../contracts/entities/mcp-server.ts";
import type { EventOf } from "../../../contracts/events.ts";
import type { CallContext, InputHere, McpCaller } from "./caller.ts";

/** A little longer than the action waits for a tool. */
const TIMEOUT_MS = 65_000;

/** The calls of other servers' tools that this node is waiting for. */
export class ToolCalls {
  readonly #told = new Map<string, NonNullable<CallContext["onProgress"]>>();

  /** Forwards the progress of a call. */
  heard({ callId, progress, total, message }: EventOf<"mcp.call.progress">): void {
    this.#told.get(callId)?.({ progress, total, message });
  }

  /**
   * Calls a tool with the caller's rights. When the caller stops waiting, the node that makes the call is told to
   * cancel it.
   * @throws the errors of the action
   */
  async make(
    session: McpCaller,
    input: InputHere<"mcp.tools.call">,
    { signal, onProgress }: CallContext,
  ): Promise<ToolResult> {
    const callId = uuid();
    const over = AbortSignal.any([signal, session.gone]);
    const cancel = () =>
      hint(session.broker, "all", "mcp.call.cancelled", { workspaceId: session.workspaceId, callId });
    over.throwIfAborted();
    over.addEventListener("abort", cancel, { once: true });
    if (onProgress) this.#told.set(callId, onProgress);
    try {
      return await session.act("mcp.tools.call", input, TIMEOUT_MS, { callId });
    } finally {
      over.removeEventListener("abort", cancel);
      this.#told.delete(callId);
    }
  }
}
