import type { Change } from "../../contracts/entities/workflow-diff.ts";
import { canonicalJson } from "../json.ts";
import { DiffBudget, diffJson } from "../diff/json-diff.ts";
import { JsonIdentity } from "../diff/json-identity.ts";
import type { ApiOperation } from "../openapi/operation.ts";

/** The complete definition of a tool, as its server returned it. */
export interface ToolDefinition {
  name: string;
  title: string | null;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown> | null;
  annotations: Record<string, unknown> | null;
  /** What a call sends, if the tool is an operation of an API. */
  operation?: ApiOperation | undefined;
}

/** The fields that may change while the name stays the same. */
const FIELDS = ["title", "description", "inputSchema", "outputSchema", "annotations", "operation"] as const;
/** The bound of the stored text of one change. */
const MAX_DIFF_CHARS = 4_000;

const partsOf = (tool: ToolDefinition): Record<string, unknown> =>
  Object.fromEntries(FIELDS.map(field => [field, tool[field]] as const).filter(([, value]) => value !== undefined));

/** The text of a definition that is hashed. */
export const definitionText = (tool: ToolDefinition): string => canonicalJson({ name: tool.name, ...partsOf(tool) });

/** The differences between two definitions of a tool. */
export function definitionDiff(
  before: ToolDefinition,
  after: ToolDefinition,
): { fields: string[]; changes: Change[]; truncated: boolean } {
  const identity = new JsonIdentity();
  const budget = new DiffBudget(MAX_DIFF_CHARS);
  const fields = FIELDS.filter(field => identity.of(before[field]) !== identity.of(after[field]));
  const changes = diffJson(partsOf(before), partsOf(after), identity, budget);
  return { fields, changes, truncated: budget.truncated };
}
