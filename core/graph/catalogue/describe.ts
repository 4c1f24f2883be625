import type { Handle, NodeTypeDescription, NodeTypes } from "../../../contracts/entities/node-type.ts";
import { EXPRESSION_FUNCTIONS } from "../../expressions/functions.ts";
import { DEFAULT_TIMEOUT_MS, policy } from "../definition.ts";
import { NODE_TYPES, type NodeType, type NodeTypeName, passingHandle } from "../node-types.ts";
import { settings } from "../settings.ts";
import { DATA_AND_PEOPLE } from "./data-and-people.ts";
import { DATABASES } from "./databases.ts";
import { FLOW } from "./flow.ts";
import { KNOWLEDGE } from "./knowledge.ts";
import { LOOPS } from "./loops.ts";
import { MODELS } from "./models.ts";
import { OUTSIDE } from "./outside.ts";
import { POLICY_WORDS, SETTINGS_WORDS } from "./policy-words.ts";
import { dataSchema, outputSchema } from "./schema.ts";
import { WAITING } from "./waiting.ts";
import { START_AND_END } from "./start-and-end.ts";
import { MAIL } from "./mail.ts";
import { SPREADSHEETS } from "./spreadsheets.ts";
import { STORAGE } from "./storage.ts";
import type { NodeWords, WordsOf } from "./words.ts";

/** The texts for all node types. A type without an entry does not compile. */
export const NODE_WORDS: WordsOf<NodeTypeName> = {
  ...START_AND_END,
  ...FLOW,
  ...LOOPS,
  ...WAITING,
  ...DATA_AND_PEOPLE,
  ...OUTSIDE,
  ...MAIL,
  ...STORAGE,
  ...DATABASES,
  ...SPREADSHEETS,
  ...KNOWLEDGE,
  ...MODELS,
};

const PLAIN_HANDLES: NonNullable<NodeWords["handles"]> = { out: { title: "Then" } };

function handlesOf(type: NodeTypeName, words: NodeWords): NodeTypeDescription["handles"] {
  if (words.handlesFrom) return { ...words.handlesFrom, plus: [...words.handlesFrom.plus] };
  const ids = NODE_TYPES[type].handles({});
  const passing = passingHandle(type, {});
  const titles = words.handles ?? PLAIN_HANDLES;
  const preset = passing === undefined ? undefined : (titles[passing]?.sameAs ?? passing);
  return ids.map((id): Handle => ({ tone: "neutral", title: id, ...titles[id], id, default: id === preset }));
}

/** The time limit of an attempt in ms if the policy sets none; null for no limit. */
const timeoutMsOf = ({ timeoutMs, untimed }: NodeType, { waits = false }: NodeWords): number | null =>
  // A step that waits for another run has a limit only if its policy sets one.
  timeoutMs ?? (untimed || waits ? null : DEFAULT_TIMEOUT_MS);

function describe(type: NodeTypeName): NodeTypeDescription {
  const known: NodeType = NODE_TYPES[type];
  const words: NodeWords = NODE_WORDS[type];
  const { category, title, summary, docs, icon, defaults } = words;
  const continues = known.handles({}).includes("out");
  return {
    type,
    ...{ category, title, summary, docs, icon },
    keywords: [...words.keywords],
    dataSchema: dataSchema(known.data, words.fields),
    handles: handlesOf(type, words),
    outputSchema: outputSchema(words.output),
    literal: known.literal ?? false,
    container: known.contains ?? false,
    waits: words.waits ?? false,
    onError: ["fail", ...(continues ? (["continue"] as const) : []), "route"],
    timeoutMs: timeoutMsOf(known, words),
    policy: !known.contains,
    sendsOut: [...(known.sendsOut ?? [])],
    shownInTests: known.shownInTests ?? false,
    inside: known.contains ? [...(known.inRounds ? ["loop"] : ["item", "index"])] : [],
    own: known.later?.sees === "loop" ? ["loop"] : [],
    later: known.later?.sees === "response" ? (known.later.fields[0] ?? null) : null,
    limits: { ...words.limits },
    defaults: { ...defaults },
    examples: [...words.examples],
  };
}

let described: NodeTypes | undefined;

/** All that forms, palettes and documents need to know about node types and definitions. Always the same object. */
export function describeNodeTypes(): NodeTypes {
  return (described ??= {
    types: (Object.keys(NODE_TYPES) as NodeTypeName[]).map(describe),
    policySchema: dataSchema(policy, POLICY_WORDS),
    settingsSchema: dataSchema(settings, SETTINGS_WORDS),
    functions: [...EXPRESSION_FUNCTIONS],
  });
}
