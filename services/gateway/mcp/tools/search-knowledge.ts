import { z } from "zod";
import { knowledgeActions } from "../../../../contracts/actions/knowledge.ts";
import type { OutputOf } from "../../../../contracts/actions.ts";
import { id } from "../../../../contracts/primitives.ts";
import type { InputHere } from "../caller.ts";
import type { McpSession } from "../session.ts";
import { READS, tool } from "../tool.ts";

/** The most bases that a search without a named base covers, newest first. */
const MAX_BASES = 50;
/** How many of them are searched at the same time. */
const GROUP = 5;

const { input, output } = knowledgeActions["knowledge.search"];
type Matches = OutputOf<"knowledge.search">;
type Question = Omit<InputHere<"knowledge.search">, "id">;

async function searchAll(session: McpSession, question: Question): Promise<{ matches: Matches; all: boolean }> {
  const { items, next } = await session.act("knowledge.list", { limit: MAX_BASES });
  const found: Matches = [];
  for (let from = 0; from < items.length; from += GROUP) {
    const group = items
      .slice(from, from + GROUP)
      .map(base => session.act("knowledge.search", { ...question, id: base.id }));
    found.push(...(await Promise.all(group)).flat());
  }
  const matches = found.sort((a, b) => b.score - a.score).slice(0, question.limit);
  return { matches, all: next === null };
}

export const searchKnowledge = tool({
  name: "search_knowledge",
  title: "Search knowledge",
  description:
    `Finds passages in a knowledge base, by meaning and by words, the best matches first. Without knowledgeBaseId all are ` +
    `searched, the newest ${MAX_BASES} where there are more: then \`all\` is false.`,
  action: "knowledge.search",
  input: input.omit({ workspaceId: true, id: true }).extend({
    knowledgeBaseId: id.optional().meta({ description: "as list_knowledge_bases gives it; all of them where absent" }),
  }),
  output: z.object({ matches: output, all: z.boolean() }),
  annotations: READS,
  async run({ knowledgeBaseId, ...question }, session) {
    if (knowledgeBaseId === undefined) return { structured: await searchAll(session, question) };
    const matches = await session.act("knowledge.search", { ...question, id: knowledgeBaseId });
    return { structured: { matches, all: true } };
  },
});
