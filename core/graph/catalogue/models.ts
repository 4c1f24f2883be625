import { z } from "zod";
import { MAX_AGENT_TOOLS } from "../agent-data.ts";
import { EXAMPLE_ID, type WordsOf } from "./words.ts";

const usage = z.object({ inputTokens: z.int().min(0), outputTokens: z.int().min(0) });

const ANSWER = "Answer";
const APPROVAL = "Approval";

const credential = {
  title: "Provider",
  widget: "credential",
  credentialType: "model",
  group: ANSWER,
} as const;
const model = { title: "Model", widget: "model", group: ANSWER } as const;
const temperature = { title: "Temperature", group: ANSWER };
const maxTokens = { title: "Maximum tokens", group: ANSWER };

export const MODELS: WordsOf<"llm" | "agent"> = {
  llm: {
    category: "knowledge",
    title: "Language model",
    summary: "Asks a language model.",
    docs:
      "Asks the language model that the operator configured, or that of a credential. Its output is " +
      "`{text, json, usage}`. Give either `prompt` or `messages`.",
    icon: "sparkles",
    keywords: ["ai", "gpt", "prompt", "chat", "summarise", "extract", "classify"],
    fields: {
      prompt: { title: "Prompt", docs: "a single message of the user", widget: "text" },
      messages: { title: "Messages", docs: "a list of `{role, content, files}`" },
      "messages.role": { title: "Role", docs: "`system`, `user` or `assistant`" },
      "messages.content": { title: "Text", docs: "the text of the message", widget: "text" },
      "messages.files": {
        title: "Files",
        docs: "[files](steps.md#files-for-a-model) that belong to a message of the user",
      },
      files: {
        title: "Files",
        docs: "[files](steps.md#files-for-a-model), such as images, that belong to the prompt or to the last message of the user",
      },
      system: { title: "Instructions", docs: "instructions", widget: "text" },
      schema: {
        title: "Answer as JSON",
        docs: "a JSON Schema of the answer, which is then in `json`",
        hint: "the fields of the answer, which is then in `json`",
        widget: "jsonSchema",
      },
      credential: {
        ...credential,
        docs:
          "the id of a [credential](connections.md#use-a-credential) of the type `model`: " +
          "[your own provider](models.md#bring-your-own-provider). Default: the model that the operator configured",
        hint: "[your own](models.md#bring-your-own-provider). Without one, the model that the operator configured",
      },
      model: { ...model, docs: "another model of the same server" },
      temperature: { ...temperature, docs: "0 to 2" },
      maxTokens: { ...maxTokens, docs: "the maximum number of tokens of the answer" },
    },
    output: z.object({
      text: z.string(),
      json: z
        .unknown()
        .optional()
        .meta({ "x-weft": { schemaFrom: "/schema" } }),
      usage,
    }),
    defaults: { prompt: "" },
    examples: [
      {
        title: "Summarise a message",
        data: { prompt: "Summarise: {{ input.text }}", temperature: 0 },
        input: { text: "The bell of order 7 is broken." },
        sample: { text: "A broken bell.", usage: { inputTokens: 20, outputTokens: 4 } },
      },
      {
        title: "Read an amount from a text",
        data: {
          prompt: "Which amount is meant? {{ input.text }}",
          schema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
        },
        input: { text: "Forty, please." },
        sample: { text: '{"amount":40}', json: { amount: 40 }, usage: { inputTokens: 20, outputTokens: 4 } },
      },
    ],
  },
  agent: {
    category: "knowledge",
    title: "Agent",
    summary: "Lets a language model work with tools.",
    docs:
      "Lets the language model work towards a goal in turns. In each turn the model chooses tools to call, reads their " +
      "results, and continues until it answers. Its output is `{text, turns, usage, finishReason}`.",
    icon: "bot",
    keywords: ["ai", "llm", "tools", "assistant", "autonomous", "chat"],
    fields: {
      goal: { title: "Goal", docs: "the goal", widget: "text" },
      system: { title: "Instructions", docs: "instructions", widget: "text" },
      toolIds: {
        title: "Tools",
        docs:
          "the only tools that it may call. Without the list, the agent starts with the tools that fit the goal, of " +
          "[servers marked `agents`](mcp.md#let-agents-choose-tools), and searches for more with `find_tools`",
        widget: "tool",
      },
      knowledgeBaseIds: {
        title: "Knowledge bases",
        docs: "the knowledge bases that it can search with `search_knowledge`",
        widget: "knowledgeBase",
      },
      messages: {
        title: "Earlier messages",
        docs: "earlier messages of the conversation: a list of `{role, content}`, with the role `user` or `assistant`",
      },
      "messages.role": { title: "Role", docs: "`user` or `assistant`" },
      "messages.content": { title: "Text", docs: "the text of the message", widget: "text" },
      files: { title: "Files", docs: "[files](steps.md#files-for-a-model), such as images, that belong to the goal" },
      memory: {
        title: "Memory",
        docs: "`true`, or `{scope, userId, threadId, workflowId, ingest}`. The agent gets the tool `search_memory`, and with `ingest: true` also `remember`. The default of `userId` is the user who started the run. Without a `userId`, an agent in a run that a schedule or webhook started has no memory, and the log says so",
      },
      "memory.scope": { title: "Scope", docs: "where its memories hold: `user`, `thread` or `workflow`" },
      "memory.threadId": { title: "Thread", docs: "the thread, for the scope `thread`" },
      "memory.workflowId": {
        title: "Workflow",
        docs: "the workflow, for the scope `workflow`",
        widget: "workflow",
      },
      "memory.userId": { title: "Person", docs: "whose memories; by default those of the user who started the run" },
      "memory.ingest": { title: "Write memories", docs: "whether it may write memories" },
      maxTurns: {
        title: "Maximum number of turns",
        docs: "the maximum number of turns, 1 to 50. In the last turn the agent cannot call tools and must answer. `finishReason` is then `max_turns`, otherwise `answered`",
        group: ANSWER,
      },
      credential: { ...credential, docs: "as for `llm`" },
      model: { ...model, docs: "as for `llm`" },
      temperature: { ...temperature, docs: "as for `llm`" },
      maxTokens: { ...maxTokens, docs: "as for `llm`" },
      approve: {
        title: "Ask before",
        docs:
          'the tools whose calls need a person\'s approval, or `"all"`. The run is suspended and shows the call. Weft tells ' +
          "the agent if the person refuses or does not answer in time",
        widget: "tool",
        group: APPROVAL,
      },
      assignees: { title: "Who is asked", docs: "who approves, as for `human`", widget: "members", group: APPROVAL },
      expiresInMs: {
        title: "Expires after",
        docs: "the time until a question expires",
        widget: "duration",
        group: APPROVAL,
      },
    },
    output: z.object({
      text: z.string(),
      turns: z.int().min(0),
      usage,
      finishReason: z.enum(["answered", "max_turns"]),
    }),
    waits: true,
    limits: { tools: MAX_AGENT_TOOLS },
    defaults: { goal: "" },
    examples: [
      {
        title: "Answer with the help of a tool",
        data: { goal: "{{ input.question }}", toolIds: [EXAMPLE_ID.tool], maxTurns: 4 },
        input: { question: "How many bells are left?" },
        sample: {
          text: "There are 3 left.",
          turns: 2,
          usage: { inputTokens: 200, outputTokens: 20 },
          finishReason: "answered",
        },
      },
    ],
  },
};
