import { clip } from "../../core/clip.ts";
import type { FormCheck } from "../../core/forms/check-form.ts";
import { isObject } from "../../core/json.ts";
import { inCurrentDraft } from "./current-draft.ts";
import {
  isWithinDepth,
  MAX_DESCRIPTION,
  MAX_SCHEMA_CHARS,
  MAX_SCHEMA_DEPTH,
  MAX_TITLE,
  MAX_TOOL_NAME,
} from "./limits.ts";
import type { McpToolDefinition } from "./port.ts";

/** Checks foreign JSON Schemas in processes that can be ended. Groups take turns. */
export interface SchemaChecks {
  /** Checks that a schema is usable. */
  prove(schema: unknown, group: string): FormCheck | Promise<FormCheck>;
  check(schema: unknown, data: unknown, group: string): FormCheck | Promise<FormCheck>;
}

type Json = Record<string, unknown>;
const text = (value: unknown, max: number) => (typeof value === "string" ? clip(value, max) : undefined);

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/** The hints that the specification names. Others are dropped. */
function annotationsOf(raw: unknown): Json | undefined {
  if (!isObject(raw)) return undefined;
  const title = text(raw.title, MAX_TITLE);
  const hints = HINTS.filter(name => typeof raw[name] === "boolean").map(name => [name, raw[name]] as const);
  return { ...(title !== undefined && { title }), ...Object.fromEntries(hints) };
}

async function schemaFault(
  what: string,
  schema: Json,
  checks: SchemaChecks | undefined,
  group: string,
): Promise<string | undefined> {
  if (!isWithinDepth(schema, MAX_SCHEMA_DEPTH)) return `its ${what} schema is nested deeper than ${MAX_SCHEMA_DEPTH}`;
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS)
    return `its ${what} schema has more than ${MAX_SCHEMA_CHARS} characters`;
  const { broken } = (await checks?.prove(inCurrentDraft(schema), group)) ?? {};
  return broken === undefined ? undefined : `its ${what} schema cannot be used: ${broken}`;
}

/** The name in a form that can be shown, whatever the server sent. */
export function shownName(raw: unknown): string {
  const name = isObject(raw) && typeof raw.name === "string" ? raw.name : "";
  return clip(name.replace(/\p{C}/gu, "?"), MAX_TOOL_NAME) || "(without a name)";
}

/** Reads a tool as a server lists it, within the limits, or says why it cannot be used. */
export async function readTool(
  raw: unknown,
  checks: SchemaChecks | undefined,
  group: string,
): Promise<{ tool: McpToolDefinition } | { fault: string }> {
  if (!isObject(raw)) return { fault: "it is not an object" };
  const { name, inputSchema, outputSchema } = raw;
  if (typeof name !== "string" || name.trim() === "") return { fault: "it has no name" };
  if (name.length > MAX_TOOL_NAME) return { fault: `its name has more than ${MAX_TOOL_NAME} characters` };
  if (/\p{C}/u.test(name)) return { fault: "its name has characters that cannot be shown" };
  if (!isObject(inputSchema) || inputSchema.type !== "object")
    return { fault: "its input schema does not describe an object" };
  const inputFault = await schemaFault("input", inputSchema, checks, group);
  if (inputFault !== undefined) return { fault: inputFault };
  if (outputSchema !== undefined && !isObject(outputSchema)) return { fault: "its output schema is not an object" };
  const outputFault = outputSchema && (await schemaFault("output", outputSchema, checks, group));
  if (outputFault !== undefined) return { fault: outputFault };
  const annotations = annotationsOf(raw.annotations);
  const title = text(raw.title, MAX_TITLE) ?? text(annotations?.title, MAX_TITLE);
  return {
    tool: {
      name,
      ...(title !== undefined && { title }),
      description: text(raw.description, MAX_DESCRIPTION) ?? "",
      inputSchema,
      ...(outputSchema && { outputSchema }),
      ...(annotations && { annotations }),
    },
  };
}
