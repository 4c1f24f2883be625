import type { AgentData } from "../graph/agent-data.ts";
import type { OfferedTool } from "./history.ts";

/** A function as the language model sees it. */
export interface AgentFunction {
  name: string;
  description: string;
  /** The arguments as a JSON Schema. */
  parameters: Record<string, unknown>;
}

/** The parts of a server's tool that an agent needs. */
export interface AgentTool {
  id: string;
  name: string;
  title: string | null;
  serverName: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

const takes = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: "object",
  properties,
  required,
});
const query = (description: string) => ({ type: "string", minLength: 1, maxLength: 2_000, description });

/** The functions that this service itself offers to an agent. */
const OWN = {
  find_tools: {
    description:
      "Finds more functions to call, by what they should do. Those that it finds can be called from then on.",
    parameters: takes({ query: query("what a function should do, in a few words") }, "query"),
  },
  search_knowledge: {
    description: "Looks a question up in the documents that belong to this work, and gives the passages that fit best.",
    parameters: takes({ query: query("the question") }, "query"),
  },
  search_memory: {
    description: "Looks up what is remembered of the user.",
    parameters: takes({ query: query("what to look for") }, "query"),
  },
  remember: {
    description: "Remembers facts about the user for later work, in whole sentences.",
    parameters: takes({ content: { type: "string", minLength: 1, maxLength: 10_000 } }, "content"),
  },
} satisfies Record<string, Omit<AgentFunction, "name">>;

export type OwnName = keyof typeof OWN;
const OWN_NAMES = Object.keys(OWN) as OwnName[];

export const isOwn = (name: string): name is OwnName => Object.hasOwn(OWN, name);

/** The functions of this service that an agent with this data may call. */
export function ownFunctions({ toolIds, knowledgeBaseIds, memory }: AgentData): AgentFunction[] {
  const has: Record<OwnName, boolean> = {
    find_tools: toolIds === undefined,
    search_knowledge: (knowledgeBaseIds?.length ?? 0) > 0,
    search_memory: Boolean(memory),
    remember: typeof memory === "object" && memory.ingest,
  };
  return OWN_NAMES.filter(name => has[name]).map(name => ({ name, ...OWN[name] }));
}

/** The longest function name that language models accept. */
const MAX_NAME = 64;
const nameOf = (text: string) => text.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, MAX_NAME) || "tool";

/**
 * Names the tools that have no name yet: by their own name when it is free, else with the server's name or a number.
 */
export function nameTools(known: readonly OfferedTool[], tools: readonly AgentTool[]): OfferedTool[] {
  const taken = new Set<string>([...OWN_NAMES, ...known.map(({ name }) => name)]);
  const has = new Set(known.map(({ toolId }) => toolId));
  const named: OfferedTool[] = [];
  for (const { id, name, serverName } of tools) {
    if (has.has(id)) continue;
    has.add(id);
    let free = [nameOf(name), nameOf(`${serverName}_${name}`)].find(one => !taken.has(one));
    for (let n = 2; free === undefined; n++) {
      const numbered = `${nameOf(name).slice(0, MAX_NAME - 4)}_${n}`;
      if (!taken.has(numbered)) free = numbered;
    }
    taken.add(free);
    named.push({ name: free, toolId: id });
  }
  return named;
}

const MAX_DESCRIPTION = 2_000;
const MAX_FUNCTIONS_CHARS = 120_000;

/** The functions to offer to the model, newest first while they fit, and the tools that are left out. */
export function toolFunctions(offered: readonly OfferedTool[], tools: ReadonlyMap<string, AgentTool>) {
  const functions: AgentFunction[] = [];
  const leftOut: string[] = [];
  let chars = 0;
  for (const { name, toolId } of offered.toReversed()) {
    const tool = tools.get(toolId);
    if (!tool) continue;
    const { title, serverName, inputSchema } = tool;
    const description = `${title ? `${title}. ` : ""}${tool.description} (of ${serverName})`.slice(0, MAX_DESCRIPTION);
    const made = { name, description, parameters: inputSchema };
    const size = JSON.stringify(made).length;
    if (chars + size > MAX_FUNCTIONS_CHARS) leftOut.push(name);
    else {
      chars += size;
      functions.unshift(made);
    }
  }
  return { functions, leftOut };
}
