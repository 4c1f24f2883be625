import { setTimeout as sleep } from "node:timers/promises";
import { maskSecrets, secretsOf } from "../../adapters/mcp/mask-secrets.ts";
import { McpError, type McpErrorCode } from "../../adapters/mcp/mcp-error.ts";
import type { McpProgress } from "../../adapters/mcp/port.ts";
import { hint } from "../../contracts/call.ts";
import type { ToolResult } from "../../contracts/entities/mcp-server.ts";
import { AppError, type ErrorCode } from "../../contracts/errors.ts";
import type { ServerDoc } from "./model.ts";
import { authOfServer, SEALED_FOR_GOOD } from "./sealed-auth.ts";
import type { Call, Called, CallWork, Self } from "./service.ts";
import { NoSlotError, CallSlots } from "./call-slots.ts";
import { targetOf } from "./target.ts";

/** A slow server holds up its own callers alone, and a workspace its own. */
const OF_SERVER = { atOnce: 32, waiting: 256 };
/** Each may hold a session of its own, of which a node has MAX_SESSIONS. */
const OF_WORKSPACE = { atOnce: 64, waiting: 1_024 };
/** What one call may give, as JSON: below what a message between nodes may carry. */
const MAX_RESULT_CHARS = 512 * 1024;
const PROGRESS_EVERY_MS = 250;
/** A stopping node lets calls finish for so long: more than a worker gives its steps. */
const GRACE_MS = 2_000;
const LOOK_MS = 10;

/** Whoever made the call makes it again, elsewhere or later. */
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

/** The calls of tools that this node has under way. */
export class Calls implements CallWork {
  readonly #self: Self;
  readonly #running = new Map<string, AbortController>();
  readonly #servers = new CallSlots(OF_SERVER);
  readonly #workspaces = new CallSlots(OF_WORKSPACE);
  #stopped = false;

  constructor(self: Self) {
    this.#self = self;
  }

  /** Ends a call that nobody waits for any more, where it runs here. */
  cancel(workspaceId: string, callId: string): void {
    this.#running.get(keyOf(workspaceId, callId))?.abort();
  }

  /** Lets what runs finish for a moment, and ends the rest. */
  async stop(graceMs = GRACE_MS): Promise<void> {
    const deadline = performance.now() + graceMs;
    while (this.#running.size > 0 && performance.now() < deadline) await sleep(LOOK_MS);
    this.#stopped = true;
    for (const running of this.#running.values()) running.abort();
  }

  /** @throws AppError unavailable, tool_server_unavailable, tool_server_refused, tool_timeout, tool_call_failed */
  async run(server: ServerDoc, tool: Called, call: Call): Promise<ToolResult> {
    const { workspaceId, callId, timeoutMs } = call;
    if (this.#stopped) throw stopping();
    const key = keyOf(workspaceId, callId);
    const cancelled = new AbortController();
    const late = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([cancelled.signal, late]);
    this.#running.set(key, cancelled);
    try {
      // A place at the server first: whoever waits for a slow one takes none of the workspace's.
      return await this.#servers.run(server.id, signal, () =>
        this.#workspaces.run(workspaceId, signal, () => this.#send(server, tool, call, signal)),
      );
    } catch (error) {
      if (error instanceof NoSlotError)
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
    const auth = authOfServer(this.#self, server);
    if (!auth) throw new AppError("tool_server_refused", { detail: SEALED_FOR_GOOD });
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
      throw new AppError(CODES[error.code], { detail: maskSecrets(error.message, secretsOf(auth)) });
    }
  }

  /** Tells of progress a few times a second at most: the newest counts. */
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
