import { below, hasRun, stepPlace, stepOutput } from "../flow.ts";
import type { NodeKind } from "../kind.ts";
import { isExpression } from "../parameter.ts";
import { objectAt, textAt, type Translation } from "../translation.ts";
import { field, typed } from "../typed.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

type Format = "csv" | "xlsx";
const FORMATS: Record<string, Format> = { csv: "csv", xlsx: "xlsx" };

function formatOf(value: unknown, fallback: string): Format {
  const named = textAt(value, fallback);
  const format = Object.hasOwn(FORMATS, named) ? FORMATS[named] : undefined;
  if (format) return format;
  throw new Untranslatable(`a file of the kind "${shown(named)}"`);
}

/** n8n stores files next to the fields of an item. In Weft a file is an ordinary field. */
function fileOf(name: unknown, t: Translation): string {
  const binary = textAt(t.fixed(name, "binaryPropertyName"), "data");
  t.warn("Look at `file`: n8n keeps files apart from the other fields, and here a step's output has them.");
  return `{{ ${field(typed(t.own().jsonata, "any", true), binary).text} }}`;
}

const present = (data: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined && value !== ""));

function reading(format: Format | undefined, name: unknown, options: Record<string, unknown>, t: Translation) {
  const { headerRow, sheetName, delimiter, range, readAsString } = options;
  if (range !== undefined && range !== "" && (isExpression(range) || !/^[A-Z]+\d*:[A-Z]+\d*$/i.test(textAt(range, ""))))
    t.warn("Give its range as `B2:D100`.");
  const data = {
    format,
    header: headerRow === false ? false : undefined,
    sheet: sheetName === undefined ? undefined : t.template(sheetName),
    delimiter: delimiter === "," ? undefined : delimiter,
    range: range === undefined ? undefined : t.template(range),
    // n8n reads numbers and booleans in CSV as text as well, except for the format "auto".
    convert: readAsString === false && format !== "xlsx" ? true : undefined,
  };
  return { type: "spreadsheet", data: { action: "read", file: fileOf(name, t), ...present(data) } };
}

function writing(format: Format, options: Record<string, unknown>, t: Translation) {
  const { fileName, sheetName, delimiter, headerRow } = options;
  const { jsonata, list } = t.own();
  const data = {
    format,
    name: fileName === undefined ? undefined : t.template(fileName),
    sheet: sheetName === undefined || format === "csv" ? undefined : t.template(sheetName),
    delimiter: delimiter === "," ? undefined : delimiter,
    header: headerRow === false ? false : undefined,
  };
  const rows = list ? `{{ ${jsonata} }}` : `{{ [${jsonata}] }}`;
  return { type: "spreadsheet", data: { action: "write", rows, ...present(data) } };
}

const givesRows: NonNullable<NodeKind["gives"]> = ({ name }, flows) => {
  const id = flows.idOf(name);
  return { ...below(stepPlace(id), "rows"), guard: hasRun(id), list: true };
};

/** The rows of a file as items. */
export const extractFromFile: NodeKind = {
  translate({ parameters }, t) {
    const format = formatOf(parameters.operation, "csv");
    return reading(format, parameters.binaryPropertyName, objectAt(parameters, "options"), t);
  },
  gives: givesRows,
};

/** All items as the rows of one file. */
export const convertToFile: NodeKind = {
  translate: ({ parameters }, t) => writing(formatOf(parameters.operation, "csv"), objectAt(parameters, "options"), t),
  gives: ({ name }, flows) => stepOutput(flows.idOf(name), false),
  takesLists: true,
};

const writes = ({ parameters }: N8nNode): boolean => textAt(parameters.operation, "fromFile") === "toFile";

/** The older node, which both reads and writes. */
export const spreadsheetFile: NodeKind = {
  translate(node, t) {
    const { parameters } = node;
    const options = objectAt(parameters, "options");
    const format = textAt(parameters.fileFormat, writes(node) ? "csv" : "autodetect");
    if (writes(node)) return writing(formatOf(format, "csv"), options, t);
    return reading(
      format === "autodetect" ? undefined : formatOf(format, "csv"),
      parameters.binaryPropertyName,
      options,
      t,
    );
  },
  gives: (node, flows) => (writes(node) ? stepOutput(flows.idOf(node.name), false) : givesRows(node, flows)),
  takesLists: true,
};
