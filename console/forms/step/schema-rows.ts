import { isRecord, sameJson } from "../../data/json.ts";
import type { Schema } from "../schema.ts";
import { without } from "./model.ts";

/** The kinds of form fields, as users know them. */
export type RowKind = "text" | "long" | "number" | "integer" | "boolean" | "choice" | "date";

/** A form field as an editable row. */
export interface SchemaRow {
  name: string;
  kind: RowKind;
  required: boolean;
  options: readonly string[];
  /** Other keywords, which are kept unchanged. */
  rest: Schema;
}

const SHAPES: Readonly<Record<Exclude<RowKind, "choice">, Schema>> = {
  text: { type: "string" },
  long: { type: "string", "x-weft": { widget: "text" } },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
};

/** Keywords that the kind determines. */
const OWN = ["type", "enum", "format", "x-weft"];
/** Keywords that a row cannot express. */
const BEYOND = ["properties", "items", "anyOf", "oneOf", "allOf", "not", "if", "$ref", "const", "additionalProperties"];

const isText = (value: unknown) => typeof value === "string";

function kindOf(schema: Schema): RowKind | undefined {
  const own = Object.fromEntries(OWN.filter(keyword => keyword in schema).map(keyword => [keyword, schema[keyword]]));
  const { type, enum: options, ...others } = own;
  if (Array.isArray(options)) {
    const isChoice = options.every(isText) && (type === undefined || type === "string");
    return isChoice && Object.keys(others).length === 0 ? "choice" : undefined;
  }
  return (Object.keys(SHAPES) as (keyof typeof SHAPES)[]).find(kind => sameJson({ ...SHAPES[kind] }, own));
}

/** The fields of an object's schema as rows. Undefined if rows cannot express the schema. */
export function rowsOf(schema: unknown): SchemaRow[] | undefined {
  if (schema === undefined) return [];
  if (!isRecord(schema) || (schema.type !== undefined && schema.type !== "object")) return undefined;
  const { properties = {}, required = [] } = schema;
  if (!isRecord(properties) || !Array.isArray(required)) return undefined;
  if (BEYOND.some(keyword => keyword !== "properties" && keyword !== "additionalProperties" && keyword in schema)) {
    return undefined;
  }
  const rows = Object.entries(properties).map(([name, part]): SchemaRow | undefined => {
    if (!isRecord(part) || BEYOND.some(keyword => keyword in part)) return undefined;
    const kind = kindOf(part);
    const options = Array.isArray(part.enum) ? (part.enum as string[]) : [];
    return kind && { name, kind, required: required.includes(name), options, rest: without(part, OWN) };
  });
  // A required field that is not described has no row, so it would be lost.
  const isKnown = required.every(name => isText(name) && Object.hasOwn(properties, name));
  return isKnown && rows.every(row => row !== undefined) ? rows : undefined;
}

const shapeOf = ({ kind, options }: SchemaRow): Schema =>
  kind === "choice" ? { type: "string", enum: [...options] } : SHAPES[kind];

/**
 * Builds the schema from rows. Other keywords of the previous schema stay. Rows without a name and rows with a repeated
 * name are left out. Undefined if no row and no keyword is left.
 */
export function schemaOfRows(rows: readonly SchemaRow[], before: unknown): Schema | undefined {
  const named = rows.filter(({ name }, n) => name !== "" && !rows.slice(0, n).some(row => row.name === name));
  const former = isRecord(before) ? before : {};
  const rest = without(former, ["type", "properties", "required"]);
  if (named.length === 0 && Object.keys(rest).length === 0) return undefined;
  const required = named.filter(row => row.required).map(({ name }) => name);
  const known = isRecord(former.properties) ? former.properties : {};
  const properties = named.map(row => {
    // Unchanged fields keep their exact JSON.
    const old = known[row.name];
    const [unchanged] = isRecord(old) ? (rowsOf({ properties: { [row.name]: old } }) ?? []) : [];
    const isSame = unchanged && sameJson({ ...unchanged, required: row.required }, row);
    return [row.name, isSame ? old : { ...shapeOf(row), ...row.rest }] as const;
  });
  return {
    type: "object",
    ...rest,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}
