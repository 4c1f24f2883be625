import { config, type LimitName, LIMITS } from "../../config.ts";
import { type ActionContext, call, callerOf } from "../../contracts/call.ts";

const CALL_TIMEOUT_MS = 5_000;

/** The limits in the order of display. Limits of single bases and of current uploads are left out. */
const SHOWN = [
  "files",
  "file_bytes",
  "memories",
  "user_memories",
  "knowledge_bases",
  "knowledge_entries",
  "knowledge_imports",
  "mcp_servers",
  "credentials",
  "schedules",
  "webhooks",
] as const satisfies readonly LimitName[];

/** How much of the installation's limits a workspace uses. */
export async function limitsUsed(ctx: ActionContext<"workspaces.usage">) {
  const { workspaceId } = ctx.params;
  const options = { timeout: CALL_TIMEOUT_MS };
  const { userId } = callerOf(ctx);
  const counted = await Promise.allSettled([
    call(ctx, "files.usage", { workspaceId }, options),
    call(ctx, "memory.usage", { workspaceId, userId }, options),
    call(ctx, "knowledge.usage", { workspaceId }, options),
    call(ctx, "mcp.usage", { workspaceId }, options),
    call(ctx, "credentials.usage", { workspaceId }, options),
    call(ctx, "schedules.usage", { workspaceId }, options),
    call(ctx, "webhooks.usage", { workspaceId }, options),
  ]);
  // Services that do not respond are left out.
  const found = counted.flatMap(one => (one.status === "fulfilled" ? Object.entries(one.value) : []));
  const used: Record<string, number | undefined> = Object.fromEntries(found);
  const max = config().LIMITS;
  return SHOWN.map(name => ({ name, what: LIMITS[name].what, limit: max[name], used: used[name] ?? null }));
}
