import { createHash } from "node:crypto";
import type { ServiceBroker } from "moleculer";
import { v7 as uuid } from "uuid";
import { MAX_CALL_MS } from "../../../contracts/actions/mcp.ts";
import { call, hint } from "../../../contracts/call.ts";
import type { ToolResult } from "../../../contracts/entities/mcp-server.ts";
import { errorCode } from "../../../contracts/errors.ts";
import type { EventOf } from "../../../contracts/events.ts";
import { orAbort } from "./abort.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

export type ToolProgress = EventOf<"mcp.call.progress">;

export interface ToolCall {
  workspaceId: string;
  toolId: string;
  arguments: Record<string, unknown>;
  timeoutMs: number;
  /** It is the same for every attempt. */
  idempotencyKey: string;
}

interface Listening {
  signal: AbortSignal;
  onProgress?: (progress: ToolProgress) => void;
}

/** The tool service's own limit ends this long before the limit of the call. */
const MARGIN_MS = 5_000;
const MAX_KEY_CHARS = 300;

/** Shortens a key that is too long for the tool service. The key contains node ids, whose length is not limited. */
const shortKey = (key: string) =>
  key.length <= MAX_KEY_CHARS ? key : createHash("sha256").update(key).digest("base64url");

/** The broker's error types for a service that currently runs on no node. */
const GONE: ReadonlySet<unknown> = new Set(["SERVICE_NOT_FOUND", "SERVICE_NOT_AVAILABLE"]);

/**
 * Recognizes the errors of a call that a node released because it is stopping or full. After such an error, it also
 * recognizes that no node offers the service at the moment.
 */
function lettingGo(): (error: unknown) => boolean {
  let wasLetGo = false;
  return error => {
    wasLetGo ||= errorCode(error) === "unavailable";
    return wasLetGo && (errorCode(error) === "unavailable" || GONE.has((error as { type?: unknown }).type));
  };
}

/** The tool calls that steps on this node wait for. */
export class OpenToolCalls {
  private readonly broker: ServiceBroker;
  private readonly listening = new Map<string, (progress: ToolProgress) => void>();

  constructor(broker: ServiceBroker) {
    this.broker = broker;
  }

  /**
   * Calls a tool. Repeats the call if a stopping node has released it. When the signal is aborted, the node that makes
   * the call is told to end it.
   * @throws {Error} the errors of `mcp.tools.invoke`
   */
  async invoke(
    { idempotencyKey, timeoutMs, ...made }: ToolCall,
    { signal, onProgress }: Listening,
  ): Promise<ToolResult> {
    const callId = uuid();
    const { workspaceId } = made;
    const cancel = () => hint(this.broker, "all", "mcp.call.cancelled", { workspaceId, callId });
    if (onProgress) this.listening.set(callId, onProgress);
    const limitMs = Math.min(Math.ceil(timeoutMs), MAX_CALL_MS);
    try {
      const params = { ...made, callId, timeoutMs: limitMs, idempotencyKey: shortKey(idempotencyKey) };
      const once = () => call(this.broker, "mcp.tools.invoke", params, { timeout: limitMs + MARGIN_MS });
      return await orAbort(signal, cancel, () => retryWhileBusy(once, lettingGo(), signal));
    } finally {
      this.listening.delete(callId);
    }
  }

  /** Forwards the progress of a call that this node or another one makes. */
  heard(progress: ToolProgress): void {
    this.listening.get(progress.callId)?.(progress);
  }
}
