import type { z } from "zod";
import { definitionEdge, definitionNode, MAX_EDGES, MAX_NODES, policy } from "../definition.ts";
import { notes } from "../notes.ts";
import { settings } from "../settings.ts";
import { describeNodeTypes } from "./describe.ts";
import { POLICY_WORDS, SETTINGS_WORDS } from "./policy-words.ts";
import { dataSchema } from "./schema.ts";

type Schema = Record<string, unknown>;

const withoutDialect = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "$schema"));

const plain = (type: z.ZodType, words = {}): Schema => withoutDialect(dataSchema(type, words));

/** `http` becomes `HttpStep`. */
const stepName = (type: string) => `${type.charAt(0).toUpperCase()}${type.slice(1)}Step`;

const EXPRESSIONS = "Any text in `data` may hold expressions, also where another type is demanded.";

/**
 * The schemas of a definition that can run, by name: `Definition`, and one for the nodes of each type. They refer to each
 * other below `base`, such as `#/components/schemas/`.
 */
export function definitionSchemas(base: string): Record<string, Schema> {
  const node = plain(definitionNode) as { properties: Schema };
  const steps = describeNodeTypes().types.map(({ type, summary, literal, dataSchema: data }) => {
    const schema: Schema = {
      type: "object",
      description: literal ? summary : `${summary} ${EXPRESSIONS}`,
      properties: {
        ...node.properties,
        type: { const: type },
        data: withoutDialect(data),
        policy: plain(policy, POLICY_WORDS),
      },
      required: ["id", "type"],
    };
    return [stepName(type), schema] as const;
  });
  const list = (items: Schema, maxItems: number) => ({ type: "array", maxItems, items });
  const definition: Schema = {
    type: "object",
    description: "The graph of a workflow. Fields that builders keep, such as `position`, are allowed everywhere.",
    properties: {
      nodes: list({ anyOf: steps.map(([name]) => ({ $ref: base + name })) }, MAX_NODES),
      edges: list(plain(definitionEdge), MAX_EDGES),
      settings: plain(settings, SETTINGS_WORDS),
      notes: plain(notes),
    },
  };
  return { Definition: definition, StepPolicy: plain(policy, POLICY_WORDS), ...Object.fromEntries(steps) };
}
