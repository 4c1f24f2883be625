import { clip } from "../../core/clip.ts";
import type { GuardedFetch } from "../net/port.ts";
import { startTimeLimit } from "../net/time-limit.ts";
import { callTool } from "./call-tool.ts";
import { describeFailure, type FailureContext, statusOf } from "./describe-failure.ts";
import { createGuardedTransportFetch } from "./guarded-transport-fetch.ts";
import { MAX_CALL_MS, MAX_TITLE } from "./limits.ts";
import { type ListContext, listTools } from "./list-tools.ts";
import { type Mask, maskerOf } from "../../core/credentials/mask.ts";
import { McpError, type McpErrorCode } from "./mcp-error.ts";
import { createSessionOpener } from "./open-session.ts";
import type { McpClients, McpListOptions, McpTarget } from "./port.ts";
import type { SchemaChecks } from "./read-tool.ts";
import type { Session } from "./session.ts";
import { type PoolLimits, SessionPool, type Verdict } from "./session-pool.ts";

export interface McpClientsOptions extends Partial<PoolLimits> {
  /** Carries all traffic. */
  fetch: Pick<GuardedFetch, "fetch" | "stream">;
  /** Checks the schemas of tools, and results against them. Without it, only the shape of a schema is checked. */
  checks?: SchemaChecks | undefined;
  /** The maximum number of sessions that listen for changes at the same time, each with a connection of its own. */
  maxListening?: number;
  /** Returns milliseconds since 1970. */
  now?: () => number;
}

const LIMITS: PoolLimits = {
  maxSessions: 64,
  maxCallsPerSession: 16,
  maxWaiting: 256,
  busyWaitMs: 5_000,
  idleMs: 60_000,
  // Longer than the usual interval between two syncs, so that changes can be heard at any time.
  listeningIdleMs: 1_200_000,
};

/** After these errors, a session is not used again. */
const BREAKING = new Set<McpErrorCode>(["mcp_unreachable", "mcp_protocol", "mcp_unauthorized", "mcp_refused"]);
/** An old session may cause these errors. A call that is safe to repeat is then repeated over a new session. */
const STALE = new Set<McpErrorCode>(["mcp_unreachable", "mcp_protocol"]);

/** Hides the current secrets. A token may be renewed during a call. */
function currentMask(secrets: () => readonly string[]): Mask {
  let made = { of: [] as readonly string[], mask: maskerOf([]) };
  return value => {
    const of = secrets();
    if (of.length !== made.of.length || of.some((secret, at) => secret !== made.of[at]))
      made = { of, mask: maskerOf(of) };
    return made.mask(value);
  };
}

/**
 * Clients of the Model Context Protocol over the outbound guard, with their sessions. The library is loaded on first
 * use.
 */
export function createMcpClients(options: McpClientsOptions): McpClients {
  const { checks, now = Date.now, maxListening = 32 } = options;
  const given = Object.entries(options).filter(([name, value]) => name in LIMITS && value !== undefined);
  const opener = createSessionOpener({ fetch: createGuardedTransportFetch(options.fetch), now, maxListening });
  const pool = new SessionPool(opener.open, { ...LIMITS, ...(Object.fromEntries(given) as Partial<PoolLimits>) });
  const closing = new AbortController();

  async function run<T>(
    target: McpTarget,
    { timeoutMs, signal }: McpListOptions,
    phase: FailureContext["phase"],
    work: (session: Session, context: ListContext) => Promise<T>,
  ): Promise<T> {
    const host = URL.parse(target.url)?.host;
    if (host === undefined) throw new McpError("mcp_refused", "The address of the server is not a URL");
    if (closing.signal.aborted) throw closing.signal.reason as McpError;
    const limit = startTimeLimit(Math.min(timeoutMs, MAX_CALL_MS), signal);
    const mask = currentMask(() => opener.secretsOf(target));
    const failure = (error: unknown) => describeFailure(error, { host, phase, mask });

    // A tool may be slow, but a list is not. On the single stream of SSE, a timeout is the only sign of a dead
    // connection.
    const isSuspect = (session: Session | undefined) => phase === "list" || session?.kind === "sse";

    const judge = (error: unknown, session: Session | undefined, fresh: boolean): Verdict => {
      // The specification prescribes 404 for a session that has ended, but some servers answer 400.
      const status = statusOf(error);
      const isForgotten = session?.id !== undefined && (status === 404 || (status === 400 && !fresh));
      const { code } = failure(error);
      return {
        discard: isForgotten || BREAKING.has(code) || (code === "mcp_timeout" && isSuspect(session)),
        again: isForgotten || (phase === "list" && !fresh && STALE.has(code)),
      };
    };

    try {
      const attempt = (session: Session) => work(session, { signal: limit.signal, checks, group: target.key, mask });
      return await pool.use(target, limit, attempt, judge);
    } catch (error) {
      throw failure(error);
    } finally {
      limit.end();
    }
  }

  return {
    list: (target, given) =>
      run(target, given, "list", async (session, context) => {
        const { client, kind } = session;
        const { name = "", version = "" } = client.getServerVersion() ?? {};
        const protocolVersion = client.getNegotiatedProtocolVersion() ?? "";
        const { tools, dropped } = await listTools(session, context);
        const server = { name: clip(name, MAX_TITLE), version: clip(version, MAX_TITLE) };
        return { tools, ...context.mask({ dropped, server }), protocolVersion, transport: kind };
      }),
    call: (target, tool, args, given) =>
      run(target, given, "call", (session, context) => callTool(session, { tool, args, options: given }, context)),
    async forget(key) {
      opener.forget(key);
      await pool.forget(key, new McpError("mcp_aborted", "The server was changed or removed"));
    },
    async close() {
      const reason = new McpError("mcp_aborted", "The service is stopping");
      closing.abort(reason);
      await pool.close(reason);
    },
  };
}
