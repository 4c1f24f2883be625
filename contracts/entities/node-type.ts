import { z } from "zod";

const jsonSchema = z.record(z.string(), z.unknown()).meta({ description: "A JSON Schema (draft 2020-12)." });

/** The form field for a value, if its schema alone does not determine it. */
export const WIDGETS = [
  "text",
  "expression",
  "code",
  "duration",
  "keyValue",
  "arguments",
  "jsonSchema",
  "workflow",
  "tool",
  "operation",
  "knowledgeBase",
  "members",
  "role",
  "credential",
  "model",
] as const;
export type Widget = (typeof WIDGETS)[number];

export const NODE_CATEGORIES = ["start", "flow", "data", "people", "outside", "knowledge", "end"] as const;
export type NodeCategory = (typeof NODE_CATEGORIES)[number];

export const handle = z.object({
  id: z.string(),
  title: z.string(),
  tone: z.enum(["neutral", "good", "bad"]),
  default: z.boolean().meta({ description: "Whether a node that is added after this one is connected to it." }),
  sameAs: z.string().optional().meta({ description: "The handle that is taken together with this one." }),
});
export type Handle = z.infer<typeof handle>;

export const caseHandles = z
  .object({ from: z.string(), id: z.string(), plus: z.array(z.string()) })
  .meta({ description: "One handle for each item of the list `from` of the data. `{id}` stands for the item's `id`." });

const example = z.object({
  title: z.string(),
  data: z.record(z.string(), z.unknown()),
  input: z.unknown().optional().meta({ description: "The input of the run." }),
  sample: z.unknown().meta({ description: "The output of the step." }),
});
export type NodeExample = z.infer<typeof example>;

export const nodeType = z
  .object({
    type: z.string(),
    category: z.enum(NODE_CATEGORIES),
    title: z.string(),
    summary: z.string(),
    docs: z.string().meta({ description: "Markdown. Links are relative to `/docs/`." }),
    icon: z.string().meta({ description: "The name of a Lucide icon." }),
    keywords: z.array(z.string()),
    dataSchema: jsonSchema.meta({
      description:
        "The JSON Schema (draft 2020-12) of the data once its expressions are evaluated. Unless the type is `literal`, " +
        "any string of the data may hold expressions in place of the value that the schema demands.",
    }),
    handles: z.union([z.array(handle), caseHandles]),
    outputSchema: jsonSchema,
    literal: z.boolean().meta({ description: "Braces in the data are not expressions." }),
    container: z.boolean().meta({ description: "Other nodes can be inside the node." }),
    waits: z.boolean().meta({ description: "The step can wait for a time, a person or another run." }),
    onError: z.array(z.enum(["fail", "continue", "route"])),
    timeoutMs: z.number().nullable().meta({
      description: "The time limit of an attempt if the policy sets none; null if there is no limit.",
    }),
    policy: z.boolean().meta({ description: "Whether the policy may set retries and a time limit." }),
    sendsOut: z.array(z.string()).meta({ description: "The fields in which expressions may name secrets." }),
    later: z.string().nullable().meta({
      description: "The field whose expressions are evaluated for each response and also see `response`.",
    }),
    shownInTests: z.boolean().meta({ description: "A test of the node shows the call without making it." }),
    inside: z
      .array(z.string())
      .meta({ description: "The names that the expressions of nodes inside it can also read." }),
    own: z.array(z.string()).meta({ description: "The names that its own expressions can also read." }),
    limits: z.record(z.string(), z.number()),
    defaults: z.record(z.string(), z.unknown()).meta({ description: "The data of a new node." }),
    examples: z.array(example),
  })
  .meta({ id: "NodeType" });
export type NodeTypeDescription = z.infer<typeof nodeType>;

export const expressionFunction = z.object({
  name: z.string(),
  signature: z.string(),
  docs: z.string(),
  example: z.object({ expression: z.string(), value: z.unknown() }),
});
export type ExpressionFunction = z.infer<typeof expressionFunction>;

export const nodeTypes = z
  .object({
    types: z.array(nodeType),
    policySchema: jsonSchema,
    settingsSchema: jsonSchema,
    functions: z.array(expressionFunction),
  })
  .meta({ id: "NodeTypes" });
export type NodeTypes = z.infer<typeof nodeTypes>;
