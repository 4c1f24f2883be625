import { knowledgeActions } from "../../../../contracts/actions/knowledge.ts";
import { READS, tool } from "../tool.ts";
import { z } from "zod";
import type { OutputOf } from "../../../../contracts/actions.ts";
import { id } from "../../../../contracts/primitives.ts";
import type { InputHere } from "../caller.ts";
import type { McpSession } from "../session.ts";

const listing = knowledgeActions["knowledge.list"];

export const listKnowledgeBases = tool({
  name: "list_knowledge_bases",
  title: "List knowledge bases",
  description: "Lists the knowledge bases, newest first. `next` is the cursor of the next page, null on the last one.",
  action: "knowledge.list",
  input: listing.input.omit({ workspaceId: true }),
  output: listing.output,
  annotations: READS,
  run: async (args, session) => ({ structured: await session.act("knowledge.list", args) }),
});

/** The most bases that a search without a named base covers, newest first. */
const MAX_BASES = 50;
/** How many of them are searched in parallel. */
const GROUP = 5;

const searching = knowledgeActions["knowledge.search"];
type Matches = OutputOf<"knowledge.search">;
type KnowledgeQuery = Omit<InputHere<"knowledge.search">, "id">;

async function searchAll(session: McpSession, question: KnowledgeQuery): Promise<{ matches: Matches; all: boolean }> {
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
  input: searching.input.omit({ workspaceId: true, id: true }).extend({
    knowledgeBaseId: id
      .optional()
      .meta({ description: "The id, as in `list_knowledge_bases`. Default: all knowledge bases." }),
  }),
  output: z.object({ matches: searching.output, all: z.boolean() }),
  annotations: READS,
  async run({ knowledgeBaseId, ...question }, session) {
    if (knowledgeBaseId === undefined) return { structured: await searchAll(session, question) };
    const matches = await session.act("knowledge.search", { ...question, id: knowledgeBaseId });
    return { structured: { matches, all: true } };
  },
});
