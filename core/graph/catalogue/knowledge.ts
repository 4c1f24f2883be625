import { z } from "zod";
import { retrieved } from "../../../contracts/entities/knowledge.ts";
import { foundMemory, ingested, memory } from "../../../contracts/entities/memory.ts";
import { EXAMPLE_ID, type FieldWords, type WordsOf } from "./words.ts";

const PLACE = "Whose and where";

const whose: FieldWords = {
  title: "Person",
  docs:
    "[whose memories](memory.md). The default is the user who started the run; a run that a schedule or webhook started " +
    "has no default",
  group: PLACE,
};

/** A memory for the examples. */
const KEPT = {
  id: "01890000-0000-7000-8000-000000000006",
  workspaceId: "01890000-0000-7000-8000-000000000007",
  userId: "customer-7",
  threadId: null,
  workflowId: null,
  scope: "user",
  factType: "fact",
  eventDate: null,
  supersededById: null,
  confidence: 1,
  metadata: {},
  embeddingStatus: "ready",
  createdAt: "2024-05-01T09:00:00.000Z",
  updatedAt: "2024-05-01T09:00:00.000Z",
};

const INGESTED = {
  userId: "customer-8",
  content: "The user lives in Graz",
  source: "workflow",
  factType: "profile",
  confidence: 0.9,
};

export const KNOWLEDGE: WordsOf<"retriever" | "memory"> = {
  retriever: {
    category: "knowledge",
    title: "Search knowledge",
    summary: "Searches a knowledge base.",
    docs:
      "Searches a [knowledge base](knowledge.md). Its output is `{matches: [{id, content, metadata, score}]}`, best match " +
      "first.",
    icon: "book-search",
    keywords: ["rag", "search", "documents", "retrieve", "vector", "passages"],
    fields: {
      knowledgeBaseId: { title: "Knowledge base", docs: "the id of the knowledge base", widget: "knowledgeBase" },
      query: { title: "Query", docs: "the text to search for", widget: "expression" },
      topK: { title: "Passages", docs: "the maximum number of passages, up to 100" },
      filter: {
        title: "Filter",
        docs: "a filter on metadata, as in [searches](knowledge.md)",
        widget: "keyValue",
      },
    },
    output: z.object({ matches: z.array(retrieved) }),
    defaults: { knowledgeBaseId: "", query: "{{ input }}", topK: 5 },
    examples: [
      {
        title: "Find the opening hours",
        data: { knowledgeBaseId: EXAMPLE_ID.knowledgeBase, query: "{{ input.question }}", topK: 1 },
        input: { question: "When does the gate open?" },
        sample: {
          matches: [
            {
              id: "01890000-0000-7000-8000-000000000004",
              content: "The gate opens at seven",
              metadata: { page: 7 },
              score: 0.9,
              matched: "hybrid",
              chunk: { index: 0, start: 0, end: 23 },
            },
          ],
        },
      },
    ],
  },
  memory: {
    category: "knowledge",
    title: "Memory",
    summary: "Searches or writes memories.",
    docs: "Searches or writes the [memories](memory.md) of a user. Its output is the response of the API for the same action. A retry of the step does not write twice.",
    icon: "brain",
    keywords: ["remember", "recall", "facts", "preferences", "person", "profile"],
    fields: {
      action: { title: "Action", docs: "`search`, `ingest` or `add`" },
      query: { title: "Query", docs: "for `search`", widget: "expression" },
      content: {
        title: "Text",
        docs: "for `ingest`, the text to extract facts from; for `add`, the fact",
        widget: "text",
      },
      limit: { title: "Maximum number of results", docs: "for `search`, up to 100" },
      factType: { title: "Kind", docs: "for `add`" },
      confidence: { title: "Confidence", docs: "for `add`" },
      eventDate: { title: "Date", docs: "for `add`" },
      metadata: { title: "Metadata", docs: "for `add`", widget: "keyValue" },
      userId: whose,
      scope: {
        title: "Scope",
        docs: "where the memory holds: `user`, `thread` or `workflow`",
        group: PLACE,
      },
      threadId: { title: "Thread", docs: "the thread, for the scope `thread`", group: PLACE },
      workflowId: {
        title: "Workflow",
        docs: "the workflow, for the scope `workflow`",
        widget: "workflow",
        group: PLACE,
      },
    },
    output: z.union([z.array(foundMemory), ingested, memory]),
    defaults: { action: "search", query: "{{ input }}" },
    examples: [
      {
        title: "What does the customer like?",
        data: { action: "search", query: "{{ input.question }}", userId: "customer-7", limit: 3 },
        input: { question: "bicycle" },
        sample: [{ ...KEPT, content: "Rides a red bicycle", source: "manual", score: 0.8 }],
      },
      {
        title: "Keep what a message says",
        data: { action: "ingest", content: "{{ input.text }}", userId: "customer-8" },
        input: { text: "I live in Graz." },
        sample: {
          memoriesCreated: 1,
          memoriesUpdated: 0,
          sessionId: "01890000-0000-7000-8000-000000000005",
          memories: [{ ...KEPT, ...INGESTED }],
          extraction: { by: "rules", fallback: null },
        },
      },
    ],
  },
};
