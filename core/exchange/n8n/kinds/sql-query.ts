import type { CredentialTypeName } from "../../../../contracts/credentials/types.ts";
import { credentialFor } from "../credentials.ts";
import { below, hasRun, stepOutput, stepPlace } from "../flow.ts";
import type { NodeKind, Step } from "../kind.ts";
import { bracesIn, listedIn } from "../marks.ts";
import { isExpression, wholeExpression } from "../parameter.ts";
import { listAt, objectAt, textAt, type Translation } from "../translation.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

/** How a database writes names and placeholders. */
interface Dialect {
  credential: CredentialTypeName;
  quote: '"' | "`";
  place: (number: number) => string;
  /** A write can return the rows that it wrote. */
  returns: boolean;
}

const POSTGRES: Dialect = { credential: "postgres", quote: '"', place: number => `$${number}`, returns: true };
const MYSQL: Dialect = { credential: "mysql", quote: "`", place: () => "?", returns: false };

const READS = /^\s*(select|with|show|values|table|explain|describe)\b|\breturning\b/i;

interface Query {
  query: string;
  parameters: unknown[];
}

/** The text of the query with placeholders, and their values. Weft allows no expressions in the text of a query. */
function written({ parameters }: N8nNode, dialect: Dialect, t: Translation): Query {
  const { query = "" } = parameters;
  if (typeof query !== "string") throw new Untranslatable("a query that is not text");
  const more = objectAt(parameters, "options").queryReplacement ?? objectAt(parameters, "additionalFields").queryParams;
  const listed = replacements(more, t);
  if (!isExpression(query)) return { query, parameters: listed };
  if (listed.length > 0) throw new Untranslatable("a query with both expressions and query parameters");
  const values: unknown[] = [];
  const given = query.slice(1);
  let [text, at] = ["", 0];
  // An expression is a value even in quotes, so the quotes around it are left out.
  for (const { start, end, inside } of bracesIn(given, true)) {
    values.push(t.template(`={{ ${inside.trim()} }}`));
    text += given.slice(at, start) + dialect.place(values.length);
    at = end;
  }
  text += given.slice(at);
  t.warn("The expressions in its query are parameters now, so each stands for one value, not for a name or a list.");
  return { query: text, parameters: values };
}

/** The query parameters: a list, one expression that gives a list, or comma-separated texts. */
function replacements(given: unknown, t: Translation): unknown[] {
  if (given === undefined || given === "") return [];
  if (Array.isArray(given)) return given.map(one => t.template(one));
  const whole = wholeExpression(given);
  const inside = whole === null ? null : /^=\{\{\s*\[([\s\S]*)\]\s*\}\}$/.exec(whole)?.[1];
  if (inside !== null && inside !== undefined && !/[[{(]/.test(inside))
    return inside.split(",").map(one => t.template(`={{ ${one.trim()} }}`));
  if (whole !== null && inside !== undefined && inside !== null)
    throw new Untranslatable("query parameters as a computed list");
  const text = textAt(given, "");
  const isTemplate = isExpression(text);
  return [...listedIn(isTemplate ? text.slice(1) : text)]
    .map(one => one.trim())
    .filter(one => one !== "")
    .map(one => t.template(isTemplate ? `=${one}` : one));
}

/** A name of a table or column. n8n stores a name that was chosen from a list as an object. */
function nameOf(given: unknown, what: string, { quote }: Dialect, t: Translation): string {
  const name = textAt(t.fixed(objectAt(given).value ?? given, what), "");
  if (name === "") throw new Untranslatable(`no ${what}`);
  if (name.includes(quote) || name.includes("\0")) throw new Untranslatable(`a ${what} with a quote in its name`);
  return `${quote}${name}${quote}`;
}

function tableOf({ parameters }: N8nNode, dialect: Dialect, t: Translation): string {
  const { schema, table } = parameters;
  const name = nameOf(table, "table", dialect, t);
  const of = textAt(objectAt(schema).value ?? schema, "");
  return of === "" || of === "public" || dialect === MYSQL ? name : `${nameOf(schema, "schema", dialect, t)}.${name}`;
}

/** The columns and their values, if the node lists them. */
function columnsOf({ parameters }: N8nNode, t: Translation): [string, unknown][] {
  const mode = textAt(objectAt(parameters, "columns").mappingMode ?? parameters.dataMode, "autoMapInputData");
  if (mode !== "defineBelow") throw new Untranslatable("columns that n8n takes from the fields of its input");
  const older = listAt(parameters, "valuesToSend", "values").map(({ column, value }) => [textAt(column, ""), value]);
  const entries = older.length > 0 ? older : Object.entries(objectAt(parameters, "columns", "value"));
  if (entries.length === 0) throw new Untranslatable("no columns");
  return entries.map(([name, value]) => [name as string, t.template(value ?? null)]);
}

const returning = ({ returns }: Dialect) => (returns ? " RETURNING *" : "");

function insert(node: N8nNode, dialect: Dialect, t: Translation): Query {
  const columns = columnsOf(node, t);
  const names = columns.map(([name]) => nameOf(name, "column", dialect, t)).join(", ");
  const places = columns.map((_, index) => dialect.place(index + 1)).join(", ");
  const query = `INSERT INTO ${tableOf(node, dialect, t)} (${names}) VALUES (${places})${returning(dialect)}`;
  return { query, parameters: columns.map(([, value]) => value) };
}

function update(node: N8nNode, dialect: Dialect, t: Translation): Query {
  const { matchingColumns: matching = [] } = objectAt(node.parameters, "columns");
  const by = Array.isArray(matching) ? matching.filter(one => typeof one === "string") : [];
  const all = columnsOf(node, t);
  const [values, keys] = [all.filter(([name]) => !by.includes(name)), all.filter(([name]) => by.includes(name))];
  if (keys.length === 0 || values.length === 0) throw new Untranslatable("an update without columns to find rows by");
  const say = (list: typeof all, from: number, word: string) =>
    list
      .map(([name], index) => `${nameOf(name, "column", dialect, t)} = ${dialect.place(from + index + 1)}`)
      .join(word);
  const set = say(values, 0, ", ");
  const where = say(keys, values.length, " AND ");
  const query = `UPDATE ${tableOf(node, dialect, t)} SET ${set} WHERE ${where}${returning(dialect)}`;
  return { query, parameters: [...values, ...keys].map(([, value]) => value) };
}

const COMPARES: Readonly<Record<string, string>> = {
  equal: "=",
  "=": "=",
  "!=": "<>",
  ">": ">",
  ">=": ">=",
  "<": "<",
  "<=": "<=",
  LIKE: "LIKE",
};

function select(node: N8nNode, dialect: Dialect, t: Translation): Query {
  const { parameters } = node;
  const values: unknown[] = [];
  const tests = listAt(parameters, "where", "values").map(({ column, condition = "equal", value }) => {
    const compare = COMPARES[textAt(condition, "")];
    if (!compare) throw new Untranslatable(`the condition "${shown(textAt(condition, ""))}"`);
    values.push(t.template(value ?? null));
    return `${nameOf(column, "column", dialect, t)} ${compare} ${dialect.place(values.length)}`;
  });
  const order = listAt(parameters, "sort", "values").map(
    ({ column, direction }) => `${nameOf(column, "column", dialect, t)} ${direction === "DESC" ? "DESC" : "ASC"}`,
  );
  const limit = parameters.returnAll === true ? undefined : (parameters.limit ?? 50);
  if (limit !== undefined && !Number.isInteger(limit)) throw new Untranslatable("a limit that is computed");
  const query = [
    `SELECT * FROM ${tableOf(node, dialect, t)}`,
    ...(tests.length > 0 ? [`WHERE ${tests.join(parameters.combineConditions === "OR" ? " OR " : " AND ")}`] : []),
    ...(order.length > 0 ? [`ORDER BY ${order.join(", ")}`] : []),
    ...(limit === undefined ? [] : [`LIMIT ${limit as number}`]),
  ].join(" ");
  return { query, parameters: values };
}

const operationOf = ({ parameters }: N8nNode) => textAt(parameters.operation, "insert");
const WRITES: Record<string, (node: N8nNode, dialect: Dialect, t: Translation) => Query> = {
  executeQuery: written,
  insert,
  update,
  select,
};

/** Whether the step returns rows: one for each item of n8n, or one row that was written. */
function rowsOf(node: N8nNode, { returns }: Dialect): "many" | "one" | "none" {
  const operation = operationOf(node);
  if (operation === "select") return "many";
  if (operation === "executeQuery")
    return READS.test(textAt(node.parameters.query, "").replace(/^=/, "")) ? "many" : "none";
  return returns ? "one" : "none";
}

const sqlKind = (dialect: Dialect): NodeKind => ({
  translate(node, t): Step {
    const operation = operationOf(node);
    const write = Object.hasOwn(WRITES, operation) ? WRITES[operation] : undefined;
    if (!write) throw new Untranslatable(`the operation "${shown(operation)}"`);
    const rows = rowsOf(node, dialect);
    const mode = { many: "rows", one: "one", none: "execute" }[rows];
    const credential = credentialFor(node, dialect.credential);
    if (!node.credentials) t.warn(`Choose a credential of the type \`${dialect.credential}\` for the step.`);
    return { type: "sql", data: { credential, ...write(node, dialect, t), ...(mode !== "rows" && { mode }) } };
  },
  gives(node, flows) {
    const id = flows.idOf(node.name);
    const rows = rowsOf(node, dialect);
    const part = { many: "rows", one: "row", none: undefined }[rows];
    if (part === undefined) return stepOutput(id);
    return { ...below(stepPlace(id), part), guard: hasRun(id), list: rows === "many" };
  },
});

export const postgres = sqlKind(POSTGRES);
export const mySql = sqlKind(MYSQL);
