import { setTimeout as sleep } from "node:timers/promises";
import { GateFullError, Gates } from "../../adapters/processes/gate.ts";
import { maskerOf } from "../../core/credentials/mask.ts";
import { McpError, type McpErrorCode } from "../../adapters/mcp/mcp-error.ts";
import { type McpProgress, secretsOf } from "../../adapters/mcp/port.ts";
import { hint } from "../../contracts/call.ts";
import type { ToolResult } from "../../contracts/entities/mcp-server.ts";
import { AppError, type ErrorCode } from "../../contracts/errors.ts";
import type { ApiOperation } from "../../core/openapi/operation.ts";
import { callOperation } from "./call-operation.ts";
import type { ServerDoc } from "./model.ts";
import { authOfServer, UNDECRYPTABLE } from "./sealed-auth.ts";
import type { Call, Called, CallWork, Self } from "./service.ts";
import { targetOf } from "./target.ts";

/** These limits make a slow server delay only its own callers, and a workspace only its own calls. */
const OF_SERVER = { atOnce: 32, waiting: 256 };
/** Each call may hold a session, and a node has MAX_SESSIONS of them. */
const OF_WORKSPACE = { atOnce: 64, waiting: 1_024 };
/** The limit of one result, as JSON. It is smaller than a message between nodes may be. */
const MAX_RESULT_CHARS = 512 * 1024;
const PROGRESS_EVERY_MS = 250;
/** How long a stopping node lets calls finish. It is longer than the grace period of steps. */
const GRACE_MS = 2_000;
const LOOK_MS = 10;

/** The caller repeats the call, on another node or later. */
const stopping = () => new AppError("unavailable", { detail: "This node is stopping. Try again." });

const CODES: Record<McpErrorCode, ErrorCode> = {
  mcp_unreachable: "tool_server_unavailable",
  mcp_busy: "tool_server_unavailable",
  mcp_aborted: "tool_server_unavailable",
  mcp_unauthorized: "tool_server_refused",
  mcp_refused: "tool_server_refused",
  mcp_timeout: "tool_timeout",
  mcp_protocol: "tool_call_failed",
  mcp_call_failed: "tool_call_failed",
};

const keyOf = (workspaceId: string, callId: string) => `${workspaceId} ${callId}`;

/** The tool calls that are in progress on this node. */
export class ToolCallsInProgress implements CallWork {
  readonly #self: Self;
  readonly #running = new Map<string, AbortController>();
  readonly #servers = new Gates(OF_SERVER);
  readonly #workspaces = new Gates(OF_WORKSPACE);
  #stopped = false;

  constructor(self: Self) {
    this.#self = self;
  }

  /** Aborts a cancelled call, if it runs on this node. */
  cancel(workspaceId: string, callId: string): void {
    this.#running.get(keyOf(workspaceId, callId))?.abort();
  }

  /** Lets calls finish for a moment, then aborts the others. */
  async stop(graceMs = GRACE_MS): Promise<void> {
    const deadline = performance.now() + graceMs;
    while (this.#running.size > 0 && performance.now() < deadline) await sleep(LOOK_MS);
    this.#stopped = true;
    for (const running of this.#running.values()) running.abort();
  }

  /** @throws {AppError} unavailable, tool_server_unavailable, tool_server_refused, tool_timeout, tool_call_failed */
  async run(server: ServerDoc, tool: Called, call: Call): Promise<ToolResult> {
    const { workspaceId, callId, timeoutMs } = call;
    if (this.#stopped) throw stopping();
    const key = keyOf(workspaceId, callId);
    const cancelled = new AbortController();
    const late = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([cancelled.signal, late]);
    this.#running.set(key, cancelled);
    try {
      // The server's slot is taken first, so that calls waiting for a slow server occupy no slot of the workspace.
      const send = () => this.#send(server, tool, call, signal);
      return await this.#servers.run(server.id, () => this.#workspaces.run(workspaceId, send, signal), signal);
    } catch (error) {
      if (error instanceof GateFullError)
        throw new AppError("tool_server_unavailable", {
          detail: "Too many calls to this server are waiting. Try again.",
        });
      if (error instanceof AppError && !signal.aborted) throw error;
      if (late.aborted)
        throw new AppError("tool_timeout", { detail: `The tool did not answer within ${timeoutMs} ms.` });
      if (this.#stopped) throw stopping();
      if (cancelled.signal.aborted) throw new AppError("tool_call_failed", { detail: "The call was cancelled." });
      throw error;
    } finally {
      if (this.#running.get(key) === cancelled) this.#running.delete(key);
    }
  }

  async #send(server: ServerDoc, tool: Called, call: Call, signal: AbortSignal): Promise<ToolResult> {
    const { idempotencyKey, timeoutMs, arguments: args } = call;
    if (tool.operation) return this.#sendOperation(server, tool.operation, call, signal);
    const auth = authOfServer(this.#self, server);
    if (!auth) throw new AppError("tool_server_refused", { detail: UNDECRYPTABLE });
    const meta = idempotencyKey === undefined ? undefined : { "weft/idempotencyKey": idempotencyKey };
    try {
      const outputSchema = tool.outputSchema ?? undefined;
      const options = { timeoutMs, signal, meta, outputSchema, onProgress: this.#progress(call) };
      const result = await this.#self.clients.call(targetOf(this.#self, server, auth), tool.name, args, options);
      const { content, structuredContent, isError } = result;
      const shown = { content, ...(structuredContent !== undefined && { structuredContent }), isError };
      if (JSON.stringify(shown).length > MAX_RESULT_CHARS) {
        const detail = `The result of the tool exceeds ${MAX_RESULT_CHARS} characters.`;
        throw new AppError("tool_call_failed", { detail });
      }
      return shown;
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      throw new AppError(CODES[error.code], { detail: maskerOf(secretsOf(auth))(error.message) });
    }
  }

  async #sendOperation(server: ServerDoc, operation: ApiOperation, call: Call, signal: AbortSignal) {
    const { idempotencyKey, timeoutMs, arguments: args } = call;
    const limits = { timeoutMs, signal, maxBytes: MAX_RESULT_CHARS / 2 };
    try {
      return await callOperation(this.#self, server, operation, { arguments: args, idempotencyKey, ...limits });
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      throw new AppError(CODES[error.code], { detail: error.message });
    }
  }

  /** Reports progress at most a few times a second. Intermediate values are skipped. */
  #progress({ workspaceId, callId, toldOn = [] }: Call): (progress: McpProgress) => void {
    let told = -Infinity;
    return ({ progress, total, message }) => {
      const now = performance.now();
      if (now - told < PROGRESS_EVERY_MS) return;
      told = now;
      const more = {
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message: message.slice(0, 500) }),
      };
      hint(this.#self.broker, toldOn, "mcp.call.progress", { workspaceId, callId, progress, ...more });
    };
  }
}
