import { credentialFor } from "../credentials.ts";
import { hasRun, stepPlace } from "../flow.ts";
import type { NodeKind, Step } from "../kind.ts";
import { isExpression } from "../parameter.ts";
import { listAt, objectAt, textAt, type Translation } from "../translation.ts";
import { call, literal, type Typed } from "../typed.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";
import { rowsAsItems } from "./sheet-rows.ts";

const API = "https://sheets.googleapis.com/v4/spreadsheets";
/** A column that n8n adds: the number of the row in the sheet. */
const ROW_NUMBER = "row_number";

/** A part of an address: known text, or an expression for it. */
type Part = string | Typed;

const inAddress = (parts: readonly Part[]): string =>
  parts
    .map(one =>
      typeof one === "string"
        ? encodeURIComponent(one)
        : `{{ ${call("encodeUrlComponent", [call("string", [one], "text")], "text").text} }}`,
    )
    .join("");

function partOf(value: unknown, t: Translation): Part {
  if (!isExpression(value)) return textAt(value, "");
  const found = t.expression(value);
  return typeof found.literal === "string" ? found.literal : found;
}

/** The id of the document. n8n stores it in an object that also says how it was chosen. */
function documentOf({ parameters }: N8nNode, t: Translation): Part {
  const { documentId } = parameters;
  const { mode, value = documentId } = objectAt(documentId);
  if (mode === "url") {
    const id = /[-\w]{25,}/.exec(textAt(t.fixed(value, "the address of its document"), ""))?.[0];
    if (id === undefined) throw new Untranslatable("an address of a document without an id");
    return id;
  }
  const id = partOf(value, t);
  if (id === "") throw new Untranslatable("no document");
  return id;
}

/** The name of the sheet, in quotes. The API identifies sheets by name, and n8n also by id. */
function sheetOf({ parameters }: N8nNode, t: Translation): Part[] {
  const { sheetName } = parameters;
  const { mode = "name", value = sheetName, cachedResultName } = objectAt(sheetName);
  // n8n stores a name next to the id, but it is the name at the last choice. It says nothing about a computed id.
  const name = mode === "name" ? partOf(value, t) : isExpression(value) ? "" : textAt(cachedResultName, "");
  if (name === "") throw new Untranslatable("a sheet whose name is not known; choose it by its name");
  const doubled =
    typeof name === "string"
      ? name.replaceAll("'", "''")
      : call("replace", [call("string", [name], "text"), literal("'"), literal("''")], "text");
  return ["'", doubled, "'"];
}

/** The address of cells of the sheet. */
const addressOf = (node: N8nNode, cells: readonly Part[], t: Translation): string =>
  `${API}/${inAddress([documentOf(node, t)])}/values/${inAddress([...sheetOf(node, t), ...cells])}`;

function credentialOf(node: N8nNode, t: Translation): object {
  const type = textAt(node.parameters.authentication, "oAuth2") === "serviceAccount" ? "jwt" : "oauth2_code";
  if (!node.credentials)
    t.warn(`Choose a credential of the type \`${type}\` with the scope https://www.googleapis.com/auth/spreadsheets.`);
  return credentialFor(node, type);
}

function read(node: N8nNode, t: Translation): Step {
  const { parameters } = node;
  if (listAt(parameters, "filtersUI", "values").length > 0) throw new Untranslatable("a filter of the rows");
  const location = objectAt(parameters, "options", "dataLocationOnSheet", "values");
  const { rangeDefinition = "detectAutomatically", readRowsUntil, range } = location;
  const isRange = rangeDefinition === "specifyRangeA1";
  if (!isRange && rangeDefinition !== "detectAutomatically") throw new Untranslatable("rows that it names by number");
  if (!isRange && readRowsUntil === "firstEmptyRow") throw new Untranslatable("reading until the first empty row");
  const cells = isRange && range !== undefined && range !== "" ? ["!", partOf(range, t)] : [];
  const { general = "UNFORMATTED_VALUE", date = "FORMATTED_STRING" } = objectAt(
    parameters,
    "options",
    "outputFormatting",
    "values",
  );
  t.warn("The first row that it reads has to hold the names of the columns. Rows without values are left out.");
  return {
    type: "http",
    data: {
      method: "GET",
      url: addressOf(node, cells, t),
      credential: credentialOf(node, t),
      query: {
        valueRenderOption: t.fixed(general, "general"),
        dateTimeRenderOption: t.fixed(date, "date"),
      },
    },
  };
}

/** The columns of the sheet in their order, and the values for some of them. */
function columnsOf({ parameters, typeVersion }: N8nNode) {
  const columns = objectAt(parameters, "columns");
  const mode = textAt(columns.mappingMode ?? parameters.dataMode, "defineBelow");
  if (mode !== "defineBelow") throw new Untranslatable("columns that n8n takes from the fields of its input");
  const order = listAt(columns, "schema").map(({ id }) => textAt(id, ""));
  const names = order.filter(name => name !== ROW_NUMBER);
  if (typeVersion < 4 || names.length === 0) throw new Untranslatable("columns whose order it does not say");
  const { matchingColumns } = columns;
  const matching = Array.isArray(matchingColumns) ? matchingColumns.filter(one => typeof one === "string") : [];
  return { names, values: objectAt(columns, "value"), matching };
}

/** The cells of one row up to the last one that is set. The API does not change a cell whose value is null. */
function rowOf(names: readonly string[], values: Record<string, unknown>, t: Translation): unknown[] {
  const set = Object.keys(values).filter(name => name !== ROW_NUMBER);
  const unknown = set.find(name => !names.includes(name));
  if (unknown !== undefined) throw new Untranslatable(`a column \`${shown(unknown)}\` that its list of columns lacks`);
  if (set.length === 0) throw new Untranslatable("no values");
  const last = names.findLastIndex(name => set.includes(name));
  const written = names.slice(0, last + 1);
  t.warn(`The columns of the sheet have to be, from the first one on: ${shown(written.join(", "))}.`);
  return written.map(name => (set.includes(name) ? t.template(values[name] ?? "") : null));
}

const inputOption = ({ parameters, typeVersion }: N8nNode, t: Translation): unknown =>
  t.fixed(objectAt(parameters, "options").cellFormat ?? (typeVersion < 4.1 ? "RAW" : "USER_ENTERED"), "cellFormat");

function append(node: N8nNode, t: Translation): Step {
  const { names, values, matching } = columnsOf(node);
  // If no matching column has a value, n8n appends a row.
  const finds = matching.some(name => values[name] !== undefined && values[name] !== null);
  if (node.parameters.operation === "appendOrUpdate" && finds)
    throw new Untranslatable('the operation "appendOrUpdate" of Google Sheets for rows that may be there already');
  return {
    type: "http",
    data: {
      method: "POST",
      url: `${addressOf(node, ["!A:Z"], t)}:append`,
      credential: credentialOf(node, t),
      query: { valueInputOption: inputOption(node, t), insertDataOption: "INSERT_ROWS" },
      body: { values: [rowOf(names, values, t)] },
    },
  };
}

/** The name of a column by its place, from 0: A to Z, then AA. */
const letters = (place: number): string =>
  (place < 26 ? "" : letters(Math.floor(place / 26) - 1)) + String.fromCharCode(65 + (place % 26));

function update(node: N8nNode, t: Translation): Step {
  const { names, values, matching } = columnsOf(node);
  if (matching.length !== 1 || matching[0] !== ROW_NUMBER)
    throw new Untranslatable('the operation "update" of Google Sheets for rows that it finds by their values');
  const given = values[ROW_NUMBER];
  const row = typeof given === "number" ? String(given) : partOf(given, t);
  if (row === "") throw new Untranslatable("no number of the row");
  const cells = rowOf(names, values, t);
  return {
    type: "http",
    data: {
      method: "PUT",
      url: addressOf(node, ["!A", row, `:${letters(cells.length - 1)}`, row], t),
      credential: credentialOf(node, t),
      query: { valueInputOption: inputOption(node, t) },
      body: { values: [cells] },
    },
  };
}

const OPERATIONS: Record<string, (node: N8nNode, t: Translation) => Step> = {
  read,
  append,
  appendOrUpdate: append,
  update,
};

const operationOf = ({ parameters }: N8nNode): string => textAt(parameters.operation, "read");

/** Reads and writes rows of a sheet, from the third version of the node on. Other operations have no counterpart. */
export const googleSheets: NodeKind = {
  translate(node, t) {
    if (node.typeVersion < 3) throw new Untranslatable("the first versions of Google Sheets");
    const resource = textAt(node.parameters.resource, "sheet");
    const operation = operationOf(node);
    if (resource !== "sheet" || !Object.hasOwn(OPERATIONS, operation))
      throw new Untranslatable(`the operation "${shown(`${resource} ${operation}`)}" of Google Sheets`);
    return OPERATIONS[operation]!(node, t);
  },
  gives(node, flows) {
    if (operationOf(node) !== "read") return { why: "n8n gives the row that was written, and the API does not" };
    const id = flows.idOf(node.name);
    return { ...rowsAsItems(stepPlace(id)), guard: hasRun(id), list: true };
  },
};
