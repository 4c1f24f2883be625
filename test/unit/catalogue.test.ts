import { Validator } from "@cfworker/json-schema";
import jsonata from "jsonata";
import { icons } from "lucide-react";
import { z } from "zod";
import { nodeTypes as contract, type NodeTypeDescription } from "../../contracts/entities/node-type.ts";
import { definitionSchemas } from "../../core/graph/catalogue/definition-schema.ts";
import { ownFunctions } from "../../adapters/expressions/own-functions.ts";
import { describeNodeTypes, NODE_WORDS } from "../../core/graph/catalogue/describe.ts";
import { POLICY_WORDS, SETTINGS_WORDS } from "../../core/graph/catalogue/policy-words.ts";
import type { NodeWords } from "../../core/graph/catalogue/words.ts";
import { isNodeType, NODE_TYPES, type NodeTypeName } from "../../core/graph/node-types.ts";
import { parseDefinition } from "../../core/graph/parse-definition.ts";
import { isObject } from "../../core/json.ts";
import { plain, read, section, table } from "../support/markdown.ts";

const ID = "01890000-0000-7000-8000-000000000001";
const RESUME = {
  base: "https://weft.example/v1/resume/",
  workspaceId: ID,
  executionId: ID,
  path: [],
  depths: {},
  key: "",
};
const MOMENT = { now: 1, seed: "", resume: RESUME };
const described = describeNodeTypes();
const types = described.types.map(one => [one.type, one] as const);
const wordsOf = (type: string): NodeWords => NODE_WORDS[type as NodeTypeName];
const STEPS = read("docs/steps.md");
const validatorOf = (schema: object) => new Validator(schema, "2020-12");

/** The fields of a schema, those inside of others by both names. */
function fieldsOf(schema: unknown, prefix = ""): string[] {
  if (!isObject(schema)) return [];
  const { properties = {}, items, anyOf = [], oneOf = [] } = schema as Record<string, object>;
  const own = Object.entries(properties).flatMap(([name, field]) => [
    `${prefix}${name}`,
    ...fieldsOf(field, `${prefix}${name}.`),
  ]);
  const parts = [items, ...(anyOf as object[]), ...(oneOf as object[])];
  return [...own, ...parts.flatMap(part => fieldsOf(part, prefix))];
}

const handlesOf = ({ handles }: NodeTypeDescription, data: Record<string, unknown>): string[] =>
  Array.isArray(handles)
    ? handles.map(({ id }) => id)
    : [...(data[handles.from] as { id: string }[]).map(({ id }) => handles.id.replace("{id}", id)), ...handles.plus];

it("matches the contract for every node type", () => {
  expect(contract.parse(described)).toEqual(described);
  expect(types.map(([type]) => type)).toEqual(Object.keys(NODE_TYPES));
});

const pascal = (name: string) => name.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase());

describe.each(types)("%s", (type, one) => {
  it("has a title, a description, keywords and an existing icon", () => {
    for (const text of [one.title, one.summary, one.docs]) expect(text.trim()).not.toBe("");
    expect(one.keywords.length).toBeGreaterThanOrEqual(3);
    expect(icons).toHaveProperty(pascal(one.icon));
  });

  it("describes each of its fields, and no others", () => {
    expect(Object.keys(wordsOf(type).fields).sort()).toEqual([...new Set(fieldsOf(one.dataSchema))].sort());
  });

  it("is described alike in the documentation and in forms", () => {
    const row = table(section(STEPS, "## All types")).find(([name]) => plain(name) === type)!;
    expect(`${row[1]!.charAt(0).toUpperCase()}${row[1]!.slice(1)}.`).toBe(one.summary);
    const text = section(STEPS, `## ${type}`);
    expect(text.trim().split("\n\n")[0]!.replaceAll("\n", " ")).toBe(one.docs);
    const told = Object.entries(wordsOf(type).fields).map(([name, { docs }]) => [name.split(".").at(-1), docs]);
    const rows = table(text).filter(([name = ""]) => /^`\w+`$/.test(name));
    for (const [name, , docs] of rows) expect(told).toContainEqual([plain(name), docs]);
  });

  it("has the handles of the engine, one of them for the next step", () => {
    const { handles } = one;
    for (const { data } of one.examples) {
      expect(handlesOf(one, data)).toEqual(NODE_TYPES[type as NodeTypeName].handles(data));
    }
    if (Array.isArray(handles))
      expect(handles.filter(handle => handle.default)).toHaveLength(Math.min(1, handles.length));
  });

  it("has a policy that is valid in definitions", () => {
    const [{ data } = { data: {} }] = one.examples;
    const faultsOf = (policy: object) => parseDefinition({ nodes: [{ id: "a", type, data, policy }] }).faults ?? [];
    for (const onError of ["fail", "continue", "route"] as const) {
      const fault = faultsOf({ onError }).some(({ path }) => path.startsWith("/nodes/0/policy"));
      expect({ onError, fault }).toEqual({ onError, fault: !one.onError.includes(onError) });
    }
    expect(faultsOf({ timeoutMs: 1_000 }).length === 0).toBe(one.policy);
  });

  it("starts with data that has known fields only", () => {
    const known = Object.keys(wordsOf(type).fields);
    for (const name of Object.keys(one.defaults)) expect(known).toContain(name);
  });

  it("has examples that are valid in definitions, and samples that fit its output", () => {
    expect(one.examples.length).toBeGreaterThanOrEqual(1);
    for (const { data, sample } of one.examples) {
      expect(parseDefinition({ nodes: [{ id: "a", type, data }] }, { strict: true }).faults ?? []).toEqual([]);
      if (Object.keys(one.outputSchema).includes("not")) expect(sample).toBeNull();
      else expect(validatorOf(one.outputSchema).validate(sample)).toMatchObject({ valid: true });
    }
  });

  it("has a schema that accepts and rejects the same data as the step", () => {
    const validator = validatorOf(one.dataSchema);
    const resolved = { trigger: {}, transform: { value: 1 } }[type] ?? one.defaults;
    const { success } = NODE_TYPES[type as NodeTypeName].data.safeParse(resolved);
    // A choice between two fields is in a hint and not in the schema.
    if (success) expect(validator.validate(resolved).valid).toBe(true);
    const required = (one.dataSchema.required ?? []) as string[];
    if (required.length > 0) expect(validator.validate({}).valid).toBe(false);
  });
});

it("describes every field of policies and settings", () => {
  expect(Object.keys(POLICY_WORDS).sort()).toEqual(fieldsOf(described.policySchema).sort());
  const settings = fieldsOf(described.settingsSchema).filter(name => !name.startsWith("inputSchema."));
  expect(Object.keys(SETTINGS_WORDS).sort()).toEqual(settings.sort());
  const rows = table(section(STEPS, "## Policy")).map(([name, , docs]) => [plain(name), docs]);
  const told = Object.entries(POLICY_WORDS).filter(([name]) => name !== "retry");
  expect(rows).toEqual(told.map(([name, { docs }]) => [name, docs]));
  const listed = table(section(read("docs/workflows.md"), "## Settings")).map(([name, docs]) => [plain(name), docs]);
  const shown = Object.entries(SETTINGS_WORDS).map(([name, { docs }]) => [name, docs]);
  expect(listed.sort()).toEqual(shown.filter(([name]) => name !== "concurrency").sort());
});

it("links to pages of the documentation, since forms show the words outside of it", () => {
  const words = [...Object.values(NODE_WORDS).map(({ fields }) => fields), POLICY_WORDS, SETTINGS_WORDS];
  const targets = [...JSON.stringify(words).matchAll(/\]\(([^)]*)\)/g)].map(([, target]) => target);
  expect(targets.length).toBeGreaterThan(10);
  for (const target of targets) expect(target).toMatch(/^[a-z]+\.md(#[a-z0-9-]+)?$/);
});

it("contains no type that does not exist", () =>
  expect(Object.keys(NODE_WORDS).filter(type => !isNodeType(type))).toEqual([]));

it("is valid JSON Schema throughout", () => {
  for (const [, { dataSchema, outputSchema }] of types) {
    for (const schema of [dataSchema, outputSchema]) expect(z.fromJSONSchema(schema)).toBeDefined();
  }
});

describe("functions of expressions", () => {
  it.each(described.functions.map(one => [one.name, one] as const))(
    "%s returns the result of its example",
    async (name, one) => {
      expect(one.signature.startsWith(`${name}(`)).toBe(true);
      expect(one.example.expression).toContain(name);
      const value: unknown = await jsonata(one.example.expression).evaluate({}, ownFunctions(MOMENT));
      expect(JSON.parse(JSON.stringify(value))).toEqual(one.example.value);
    },
  );
});

describe("the schema of a definition", () => {
  const schemas = definitionSchemas("#/$defs/");
  const validator = validatorOf({ ...schemas.Definition, $defs: schemas });
  const takes = (definition: unknown) => validator.validate(definition).valid;

  it("accepts the examples with evaluated expressions, and the shape of every template", () => {
    for (const [type, { examples }] of types) {
      const resolved = examples.filter(({ data }) => !JSON.stringify(data).includes("{{"));
      for (const { data } of resolved) {
        expect(takes({ nodes: [{ id: "a", type, data, position: { x: 1, y: 2 } }], edges: [] })).toBe(true);
      }
    }
    expect(takes({ nodes: [], edges: [{ source: "a", target: "b" }], notes: [{ text: "x" }] })).toBe(true);
  });

  it.each([
    [{ nodes: {} }],
    [{ nodes: [{ id: "a", type: "none" }] }],
    [{ nodes: [{ type: "trigger" }] }],
    [{ nodes: [{ id: "a", type: "http", data: { url: 5 } }] }],
    [{ nodes: [{ id: "a", type: "merge", policy: { onError: "panic" } }] }],
    [{ edges: [{ source: "a" }] }],
    [{ settings: { timeoutMs: -1 } }],
    [{ notes: [{ x: "left" }] }],
  ])("rejects %j", definition => expect(takes(definition)).toBe(false));
});
