import { isObject } from "../../core/json.ts";

/** The keyword of a parameter that is also sent as a header. */
const MARK = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: unknown[] = ["string", "integer", "boolean"];
/** The values of these keywords are data, not schemas. */
const VALUES = new Set(["default", "const", "enum", "examples"]);

type Json = Record<string, unknown>;

const holdsMark = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(holdsMark)
    : isObject(value) && (MARK in value || Object.values(value).some(holdsMark));

/**
 * Reads the header names that a tool's parameters require, or says why the tool must not be used (specification of
 * 2026-07-28, Streamable HTTP, "Custom Headers from Tool Parameters"). The mark is allowed only on properties of
 * objects within properties, once per name, and on types that a header can carry. The caller must have checked the
 * schema's depth.
 */
export function readHeaderParameters(schema: Json): { names: string[] } | { fault: string } {
  const names: string[] = [];
  const visit = (node: Json, isProperty: boolean): string | undefined => {
    if (MARK in node) {
      const name = node[MARK];
      if (!isProperty) return "a header parameter is not a property";
      if (typeof name !== "string" || !TOKEN.test(name)) return "a header parameter names no header";
      if (!TYPES.includes(node.type)) return "a header parameter is neither text, an integer nor true or false";
      if (names.some(other => other.toLowerCase() === name.toLowerCase()))
        return "two header parameters have the same name";
      names.push(name);
    }
    const { properties } = node;
    const elsewhere = Object.entries(node).filter(([keyword]) => keyword !== "properties" && !VALUES.has(keyword));
    if (elsewhere.some(([, value]) => holdsMark(value))) return "a header parameter is not a property";
    for (const child of Object.values(isObject(properties) ? properties : {})) {
      const fault = isObject(child) ? visit(child, true) : undefined;
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  const fault = visit(schema, false);
  return fault === undefined ? { names } : { fault };
}
