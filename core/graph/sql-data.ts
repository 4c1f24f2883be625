import { z } from "zod";
import { statementFault } from "../sql/statement.ts";
import { isObject } from "../json.ts";

const MAX_QUERY_CHARS = 100_000;
const MAX_PARAMETERS = 10_000;
const MAX_STATEMENTS = 100;
const MAX_ROWS = 100_000;
const DEFAULT_ROWS = 10_000;
const MAX_TIMEOUT_MS = 3_600_000;

const query = z
  .string()
  .max(MAX_QUERY_CHARS)
  .superRefine((text, context) => {
    const message = statementFault(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
const parameters = z.array(z.unknown()).max(MAX_PARAMETERS).default([]);
const mode = z.enum(["rows", "one", "execute"]);

/** The data of an `sql` step. */
export const sql = z
  .object({
    credential: z.uuid(),
    query: query.optional(),
    parameters,
    mode: mode.default("rows"),
    statements: z
      .array(z.unknown())
      .min(1)
      .max(MAX_STATEMENTS)
      .pipe(z.array(z.object({ query, parameters, mode: mode.default("execute") })))
      .optional(),
    readOnly: z.boolean().default(false),
    idempotent: z.boolean().default(false),
    maxRows: z.int().min(1).max(MAX_ROWS).default(DEFAULT_ROWS),
    timeoutMs: z.int().min(1).max(MAX_TIMEOUT_MS).optional(),
  })
  .refine(
    data => (data.query === undefined) !== (data.statements === undefined),
    "Give either `query` or `statements`, not both",
  )
  .meta({ "x-weft": { exactlyOneOf: [["query", "statements"]] } });

interface WrittenFault {
  path: string[];
  message: string;
}

const NO_EXPRESSION =
  "The text of a query takes no expressions, so that no value can change what it does. Pass values as `parameters`.";

function textFault(text: unknown, path: string[]): WrittenFault[] {
  return typeof text === "string" && text.includes("{{") ? [{ path, message: NO_EXPRESSION }] : [];
}

/** The places in the data as written where an expression would become part of a query. */
export function writtenQueryFaults({ query: text, statements }: Readonly<Record<string, unknown>>): WrittenFault[] {
  if (!Array.isArray(statements)) return [...textFault(text, ["query"]), ...textFault(statements, ["statements"])];
  const inside = (statements as unknown[]).flatMap((one, at) => {
    const path = ["statements", String(at)];
    return isObject(one) ? textFault(one.query, [...path, "query"]) : textFault(one, path);
  });
  return [...textFault(text, ["query"]), ...inside];
}
