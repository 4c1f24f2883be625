import { createHash } from "node:crypto";
import type { ServiceBroker } from "moleculer";
import { v7 as uuid } from "uuid";
import { MAX_CALL_MS } from "../../../contracts/actions/mcp.ts";
import { call, hint } from "../../../contracts/call.ts";
import type { ToolResult } from "../../../contracts/entities/mcp-server.ts";
import { errorCode } from "../../../contracts/errors.ts";
import type { EventOf } from "../../../contracts/events.ts";
import { orGiveUp } from "./give-up.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

export type ToolProgress = EventOf<"mcp.call.progress">;

export interface ToolCall {
  workspaceId: string;
  toolId: string;
  arguments: Record<string, unknown>;
  timeoutMs: number;
  /** The same for every attempt. */
  idempotencyKey: string;
}

interface Listening {
  signal: AbortSignal;
  onProgress?: (progress: ToolProgress) => void;
}

/** The call's own limit comes first. */
const MARGIN_MS = 5_000;
const MAX_KEY_CHARS = 300;

/** A key that fits: node ids are as long as people make them. */
const shortKey = (key: string) =>
  key.length <= MAX_KEY_CHARS ? key : createHash("sha256").update(key).digest("base64url");

/** A broker's words for: no node has this service now. */
const GONE: ReadonlySet<unknown> = new Set(["SERVICE_NOT_FOUND", "SERVICE_NOT_AVAILABLE"]);

/** Whether a node has let a call go, as it is stopping or has no room; after it, also whether there is none for the moment. */
function lettingGo(): (error: unknown) => boolean {
  let wasLetGo = false;
  return error => {
    wasLetGo ||= errorCode(error) === "unavailable";
    return wasLetGo && (errorCode(error) === "unavailable" || GONE.has((error as { type?: unknown }).type));
  };
}

/** The calls of tools that steps on this node wait for. */
export class ToolCalls {
  private readonly broker: ServiceBroker;
  private readonly listening = new Map<string, (progress: ToolProgress) => void>();

  constructor(broker: ServiceBroker) {
    this.broker = broker;
  }

  /**
   * Calls a tool, and again where a node that stops has let go of the call. Once the signal is aborted, whoever makes the
   * call is told to end it. Rejects with the errors of mcp.tools.invoke.
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
      return await orGiveUp(signal, cancel, () => retryWhileBusy(once, lettingGo(), signal));
    } finally {
      this.listening.delete(callId);
    }
  }

  /** A call, here or on another node, has got on. */
  heard(progress: ToolProgress): void {
    this.listening.get(progress.callId)?.(progress);
  }
}
