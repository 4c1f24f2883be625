import { call, callerOf, handle } from "../../contracts/call.ts";
import { notFound } from "../../contracts/errors.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { members, presentWorkspace, workspaces } from "./model.ts";

const DAY_MS = 86_400_000;
const CALL_TIMEOUT_MS = 5_000;

/** A part of the summary that fails is left out. */
const orNull = <T>(part: Promise<T>): Promise<T | null> => part.catch(() => null);

export const summary = handle<"workspaces.summary", WithStore>("workspaces.summary", async function (ctx) {
  const { workspaceId } = ctx.params;
  const options = { timeout: CALL_TIMEOUT_MS };
  const from = new Date(Math.floor(Date.now() / DAY_MS - 1) * DAY_MS).toISOString();
  const isUser = callerOf(ctx).kind === "user";
  const [workflows, stats, questions, unread, servers] = await Promise.all([
    orNull(call(ctx, "workflows.count", { workspaceId }, options)),
    orNull(call(ctx, "executions.statsAll", { workspaceId, from }, options)),
    orNull(call(ctx, "executions.countQuestions", { workspaceId }, options)),
    isUser ? orNull(call(ctx, "notifications.countUnread", {}, options)) : null,
    orNull(call(ctx, "mcp.count", { workspaceId }, options)),
  ]);
  return {
    workflows,
    executions: stats && { since: stats.from, byStatus: stats.byStatus },
    questions,
    unread: unread?.unread ?? null,
    mcpServers: servers,
  };
});

/** The error must not reveal to non-members that a workspace exists. */
export const bySlug = handle<"workspaces.bySlug", WithStore>("workspaces.bySlug", async function (ctx) {
  const workspace = await this.store.global(workspaces).get({ slug: ctx.params.slug, ...ALIVE });
  const { userId } = callerOf(ctx);
  const member = workspace && (await this.store.tenant(members, workspace.id).shared({ userId }));
  if (!workspace || !member) throw notFound("workspace");
  return presentWorkspace(workspace, member.role);
});
