import { DEFAULT_MAX_MS } from "../../core/run/fail-step.ts";
import { z } from "zod";
import { DEFAULT_TIMEOUT_MS, policy } from "../../core/graph/definition.ts";
import { NODE_TYPES } from "../../core/graph/node-types.ts";
import { plain, read, section, table } from "../support/markdown.ts";

interface Schema {
  type?: string;
  properties?: Record<string, Schema & { default?: unknown }>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const STEPS = read("docs/steps.md");
const schemaOf = (type: z.ZodType) => z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as Schema;

/** Each field with its default, `required` or `optional`; of a union, those of all its options. */
function fieldsOf(schema: Schema): Map<string, string> {
  const fields = new Map<string, string>();
  for (const { properties = {}, required = [] } of schema.oneOf ?? schema.anyOf ?? [schema]) {
    for (const [name, field] of Object.entries(properties)) {
      const preset = field.default === undefined ? "optional" : JSON.stringify(field.default);
      if (!fields.has(name)) fields.set(name, required.includes(name) ? "required" : preset);
    }
  }
  return fields;
}

const sorted = (fields: Iterable<readonly (string | undefined)[]>) => [...fields].map(String).sort();
const documented = (text: string) => table(text).map(row => [plain(row[0]), plain(row[1])]);

describe("the table of step types", () => {
  const rows = table(section(STEPS, "## All types"));

  it("has every type, with the handles that it leaves by", () => {
    const types = Object.entries(NODE_TYPES).map(([type, { handles }]) => {
      const left = type === "switch" ? ["case:<id>", "default"] : handles({});
      return [type, left.join(", ")];
    });
    expect(rows.map(row => [plain(row[0]), plain(row[2])])).toEqual(types);
  });
});

describe("the fields of a step", () => {
  it.each(Object.keys(NODE_TYPES))("%s are documented with their defaults", type => {
    const fields = fieldsOf(schemaOf(NODE_TYPES[type as keyof typeof NODE_TYPES].data));
    expect(sorted(documented(section(STEPS, `## ${type}`)))).toEqual(sorted(fields));
  });
});

describe("the table of policies", () => {
  it("has every field with its default", () => {
    const { retry: given, timeoutMs, onError } = policy.parse({});
    expect([timeoutMs, given.maxMs]).toEqual([undefined, undefined]);
    // What the policy leaves open has its default where it is read.
    const { jitter, ...before } = given;
    const retry = { ...before, maxMs: DEFAULT_MAX_MS, jitter };
    const defaults = [
      ...Object.entries(retry).map(([name, value]) => [`retry.${name}`, JSON.stringify(value)]),
      ["timeoutMs", `${DEFAULT_TIMEOUT_MS}`],
      ["onError", JSON.stringify(onError)],
      ["compensate", "optional"],
    ];
    expect(documented(section(STEPS, "## Policy"))).toEqual(defaults);
  });
});
