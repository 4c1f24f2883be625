import { callerOf, handle } from "../../contracts/call.ts";
import { packContext, tokensIn } from "../../core/memory/context.ts";
import { searchMemories } from "./find.ts";
import { presentMemory } from "./model.ts";
import { groupDocs } from "./read.ts";
import type { MemoryService } from "./service.ts";

/** The most memories of a group. More would crowd out the memories that match the question. */
const PER_GROUP = 25;

export const context = handle<"memory.context", MemoryService>("memory.context", async function (ctx) {
  const { userId = callerOf(ctx).userId, tokens, ...question } = ctx.params;
  const { workspaceId, scope, threadId, workflowId } = question;
  const group = (name: "system" | "profile" | "preferences") =>
    groupDocs(this, workspaceId, userId, name, PER_GROUP, { scope, threadId, workflowId });
  const [system, profile, preferences, { found, degraded }] = await Promise.all([
    group("system"),
    group("profile"),
    group("preferences"),
    searchMemories(this, { ...question, userId }),
  ]);
  ctx.meta.degraded = degraded;
  const sections = [
    { title: "Instructions of the user", items: system },
    { title: "What bears on this", items: found.map(({ doc }) => doc) },
    { title: "About the user", items: profile },
    { title: "Preferences", items: preferences },
  ];
  const { text, items, truncated } = packContext(sections, tokens);
  return { text, tokens: tokensIn(text), memories: items.map(presentMemory), truncated };
});
