import { below, hasRun, stepPlace } from "../flow.ts";
import type { Flows } from "../flows.ts";
import type { NodeKind } from "../kind.ts";
import { listAt, objectAt, textAt, type Translation } from "../translation.ts";
import { field, typed } from "../typed.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

const MAX_TURNS = 50;

/** The question to the agent: the text that the node defines, or else the message of the chat that leads to it. */
function askedOf({ parameters, typeVersion }: N8nNode, t: Translation): unknown {
  const usual = typeVersion >= 1.6 || parameters.promptType !== undefined ? "auto" : "define";
  if (textAt(parameters.promptType, usual) === "define") return t.template(parameters.text ?? parameters.prompt ?? "");
  return `{{ ${field(typed(t.own().jsonata, "object", true), "chatInput").text} }}`;
}

/** The connected model, with its name and the settings that a step supports. */
function modelOf(flows: Flows, name: string, t: Translation): Record<string, unknown> {
  const [model, ...others] = flows.subNodes(name, "ai_languageModel");
  if (!model) return {};
  if (others.length > 0) t.warn("Several models are connected. Only the first one is used.");
  const { parameters } = model;
  const options = objectAt(parameters, "options");
  const chosen = textAt(objectAt(parameters.model).value ?? parameters.model ?? parameters.modelName, "");
  const { temperature, maxTokens } = options;
  t.warn(
    `The model is that of the installation. In n8n it was ${chosen === "" ? "the usual one" : `"${shown(chosen)}"`} of "${model.name}".`,
  );
  return {
    ...(typeof temperature === "number" && temperature >= 0 && temperature <= 2 && { temperature }),
    ...(Number.isInteger(maxTokens) && (maxTokens as number) > 0 && { maxTokens }),
  };
}

/** The memory of a chat becomes the memory of a thread. */
function memoryOf(flows: Flows, name: string, t: Translation): unknown {
  const [memory] = flows.subNodes(name, "ai_memory");
  if (!memory) return undefined;
  const { sessionIdType, sessionKey } = memory.parameters;
  const isOwn = textAt(sessionIdType, "fromInput") === "customKey" && sessionKey !== undefined;
  const threadId = isOwn
    ? t.template(sessionKey)
    : `{{ ${field(typed(t.own().jsonata, "object", true), "sessionId").text} }}`;
  t.warn(`"${memory.name}" becomes the memory of the thread: the agent recalls facts of it, not its last messages.`);
  return { scope: "thread", threadId, ingest: true };
}

/** Warns of tools. In n8n, tools are nodes. In Weft, they belong to tool servers and APIs that a person registers. */
function warnOfParts(flows: Flows, name: string, t: Translation): void {
  for (const tool of flows.subNodes(name, "ai_tool"))
    t.warn(
      `The tool "${tool.name}" (${shown(tool.type)}) is missing: register a tool that does the same, and name it in \`toolIds\`. Without \`toolIds\` the agent looks for tools that fit its goal.`,
    );
  for (const parser of flows.subNodes(name, "ai_outputParser"))
    t.warn(`"${parser.name}" is left out. For an answer in a given form, add an \`llm\` step with a \`schema\`.`);
}

const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""));

/** The text of the answer, under the name that n8n uses. */
const answer =
  (name: string): NonNullable<NodeKind["gives"]> =>
  (node, flows) => {
    const id = flows.idOf(node.name);
    const text = below(stepPlace(id), "text");
    const write = (language: "jsonata" | "js") => `{"${name}": ${text[language]}}`;
    return {
      jsonata: write("jsonata"),
      js: `(${write("js")})`,
      guard: hasRun(id),
      fields: { [name]: text },
      list: false,
    };
  };

/** An agent with its model, its memory and its tools. */
export const agent: NodeKind = {
  translate(node, t) {
    const { parameters, name } = node;
    const options = objectAt(parameters, "options");
    const kind = textAt(parameters.agent, "toolsAgent");
    if (kind === "sqlAgent") throw new Untranslatable("an agent for SQL");
    const turns = options.maxIterations;
    const { flows } = t;
    const made = {
      goal: askedOf(node, t),
      system: t.template(options.systemMessage ?? ""),
      memory: memoryOf(flows, name, t),
      ...modelOf(flows, name, t),
      maxTurns: Number.isInteger(turns) ? Math.max(1, Math.min(MAX_TURNS, turns as number)) : undefined,
    };
    warnOfParts(flows, name, t);
    return { type: "agent", data: given(made) };
  },
  gives: answer("output"),
};

/** One question to a model. */
export const chain: NodeKind = {
  translate(node, t) {
    const { parameters, name } = node;
    const said = listAt(parameters, "messages", "messageValues");
    const isSystem = ({ type }: Record<string, unknown>) => textAt(type, "System").startsWith("System");
    if (!said.every(isSystem)) throw new Untranslatable("messages of other roles");
    const system = said.map(({ message }) => t.template(message ?? "") as string).join("\n");
    const made = { prompt: askedOf(node, t), system, ...modelOf(t.flows, name, t) };
    warnOfParts(t.flows, name, t);
    return { type: "llm", data: given(made) };
  },
  gives: answer("text"),
};
