import { parseDefinition } from "../../core/graph/parse-definition.ts";
import { isNodeType, NODE_TYPES } from "../../core/graph/node-types.ts";

const ID = "01890000-0000-7000-8000-000000000000";

/** The least that each type takes, and its optional fields: each is null at first, and is not there then. */
const OPTIONAL: [string, object, string[]][] = [
  ["http", { url: "https://example.com" }, ["method", "headers", "query", "failOnStatus"]],
  ["merge", {}, ["mode"]],
  ["map", { items: [] }, ["concurrency"]],
  ["delay", { ms: 1 }, ["until"]],
  ["human", { prompt: "Well?" }, ["form", "assignees", "expiresInMs"]],
  ["respond", {}, ["status", "headers"]],
  ["subworkflow", { workflowId: ID }, ["version"]],
  ["retriever", { knowledgeBaseId: ID, query: "x" }, ["topK", "filter"]],
  ["memory", { action: "search", query: "x" }, ["limit", "scope", "threadId", "workflowId", "userId"]],
  ["memory", { action: "ingest", content: "x" }, ["scope", "threadId", "workflowId", "userId"]],
  ["memory", { action: "add", content: "x" }, ["factType", "confidence", "metadata", "scope", "userId"]],
  ["llm", { prompt: "x" }, ["messages", "system", "model", "temperature", "maxTokens", "schema"]],
  ["notify", { title: "x", body: "x", role: "owner" }, ["userIds"]],
  ["fail", { message: "x" }, ["code"]],
];

const dataOf = (type: string) => {
  if (!isNodeType(type)) throw new Error(type);
  return NODE_TYPES[type].data;
};

it.each(OPTIONAL)("%s %j treats null in %j as absent", (type, least, fields) => {
  const nulls = Object.fromEntries(fields.map(name => [name, null]));
  expect(dataOf(type).parse({ ...least, ...nulls })).toEqual(dataOf(type).parse(least));
});

it("keeps null in a field whose schema gives null a meaning", () => {
  const request = { url: "https://example.com", body: null, query: { page: null } };
  expect(NODE_TYPES.http.data.parse(request)).toMatchObject({ body: null, query: { page: null } });
  expect(NODE_TYPES.transform.data.parse({ value: null })).toEqual({ value: null });
  const dated = { action: "add", content: "x", eventDate: null };
  expect(NODE_TYPES.memory.data.parse(dated)).toEqual(dated);
});

it("still requires a required field, and names it", () => {
  for (const [type, data, path] of [
    ["http", { url: null }, ["url"]],
    ["memory", { action: "search", query: null }, ["query"]],
    ["memory", null, []],
  ] as const) {
    expect(NODE_TYPES[type].data.safeParse(data).error?.issues[0]?.path).toEqual(path);
  }
});

it("accepts a definition with null in an optional field", () => {
  const node = { id: "a", type: "llm", data: { prompt: "x", system: null } };
  expect(parseDefinition({ nodes: [node], edges: [] })).toHaveProperty("graph");
});
