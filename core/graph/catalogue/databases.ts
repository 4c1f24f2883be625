import { z } from "zod";
import { EXAMPLE_ID, type WordsOf } from "./words.ts";

const row = z.record(z.string(), z.unknown());
const output = [
  z.object({ rows: z.array(row), truncated: z.boolean() }),
  z.object({ row: row.nullable() }),
  z.object({ affected: z.int(), insertId: z.union([z.int(), z.string()]).nullable() }),
] as const;

const SAFETY = "Safety and limits";

export const DATABASES: WordsOf<"sql"> = {
  sql: {
    category: "outside",
    title: "SQL query",
    summary: "Reads and writes a database.",
    docs: "Reads and writes a database: PostgreSQL, MySQL or MariaDB. Weft always binds values as parameters.",
    icon: "database",
    keywords: ["database", "postgres", "postgresql", "mysql", "mariadb", "select", "insert", "table", "query", "db"],
    fields: {
      credential: {
        title: "Credential",
        docs: "the id of a [credential](connections.md#use-a-credential) of the type `postgres` or `mysql`",
        widget: "credential",
        credentialType: ["postgres", "mysql"],
      },
      query: {
        title: "Query",
        docs: "one SQL statement, with `$1`, `$2` (PostgreSQL) or `?` (MySQL) in place of values. It cannot contain expressions",
        widget: "text",
      },
      parameters: {
        title: "Parameters",
        docs: "the values, in order. They may contain [secrets](connections.md#use-a-credential), and [files](files.md) are bound as bytes",
        widget: "expression",
        belongsTo: "query",
      },
      mode: {
        title: "Result",
        docs: "`rows` returns all rows, `one` the first row or null, and `execute` the number of changed rows",
        belongsTo: "query",
      },
      statements: {
        title: "Statements",
        docs: "in place of `query`: several statements as one transaction, all or none",
      },
      "statements.query": { title: "Query", docs: "as `query`", widget: "text" },
      "statements.parameters": { title: "Parameters", docs: "as `parameters`", widget: "expression" },
      "statements.mode": { title: "Result", docs: "as `mode`, but `execute` by default" },
      readOnly: {
        title: "Read only",
        docs: "the database refuses statements that write. Weft can safely repeat such a step",
        group: SAFETY,
      },
      idempotent: {
        title: "Safe to repeat",
        docs: "repeating the statements has no further effect, so Weft repeats a step that was cut off",
        group: SAFETY,
      },
      maxRows: {
        title: "Maximum number of rows",
        docs: "the maximum number of rows of a statement, up to 100,000",
        group: SAFETY,
      },
      timeoutMs: {
        title: "Time limit",
        docs: "the time limit of all statements together. The limit of the step's policy applies too",
        widget: "duration",
        group: SAFETY,
      },
    },
    output: z.union([...output, z.object({ results: z.array(z.union(output)) })]),
    defaults: { query: "", parameters: [] },
    examples: [
      {
        title: "Read open orders",
        data: {
          credential: EXAMPLE_ID.database,
          query: "SELECT number, total FROM orders WHERE customer = $1 AND open ORDER BY number",
          parameters: ["{{ input.customer }}"],
          readOnly: true,
        },
        input: { customer: "ada@example.com" },
        sample: { rows: [{ number: 7, total: "40.50" }], truncated: false },
      },
      {
        title: "Move an amount",
        data: {
          credential: EXAMPLE_ID.database,
          statements: [
            { query: "UPDATE accounts SET amount = amount - $1 WHERE id = $2", parameters: ["{{ input.amount }}", 1] },
            { query: "UPDATE accounts SET amount = amount + $1 WHERE id = $2", parameters: ["{{ input.amount }}", 2] },
          ],
        },
        input: { amount: 5 },
        sample: {
          results: [
            { affected: 1, insertId: null },
            { affected: 1, insertId: null },
          ],
        },
      },
    ],
  },
};
