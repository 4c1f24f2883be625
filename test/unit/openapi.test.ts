import { readDocument } from "../../adapters/openapi/read-document.ts";
import type { ApiOperation, ApiParameter } from "../../core/openapi/operation.ts";
import { ApiRequestError, requestOf } from "../../core/openapi/request-of.ts";

const read = (document: object, documentUrl: string | null = "https://docs.example/v2/openapi.json") =>
  readDocument({ text: JSON.stringify({ openapi: "3.1.0", ...document }), documentUrl });
const only = (path: string, method: string, operation: object, more: object = {}) =>
  read({ paths: { [path]: { [method]: operation } }, ...more }).tools[0]!;

describe("servers", () => {
  const serverOf = (servers: object[] | undefined, url: string | null = "https://docs.example/v2/openapi.json") =>
    read({ servers, paths: {} }, url).server;

  it("may be absolute, relative to the document, with variables, or absent", () => {
    expect(serverOf([{ url: "https://api.example/v1" }])).toBe("https://api.example/v1");
    expect(serverOf([{ url: "../v1" }])).toBe("https://docs.example/v1");
    const variables = { region: { default: "eu" }, port: { default: 8443 } };
    expect(serverOf([{ url: "https://{region}.example:{port}/", variables }])).toBe("https://eu.example:8443/");
    expect(serverOf(undefined)).toBe("https://docs.example/");
    expect(serverOf(undefined, null)).toBeNull();
  });

  it("are ignored if they are no valid address", () => {
    const good = { url: "https://good.example" };
    for (const url of ["ftp://a.example", "https://user:pass@a.example", "https://{open}.example", "https://"])
      expect(serverOf([{ url }, good])).toBe("https://good.example/");
  });

  it("of an operation override those of its path and of the document", () => {
    const at = (url: string) => ({ servers: [{ url }] });
    const paths = { "/a": { ...at("https://path.example"), get: at("https://own.example"), put: {} } };
    const servers = read({ ...at("https://all.example"), paths }).tools.map(({ operation }) => operation.server);
    expect(servers).toEqual(["https://own.example/", "https://path.example/"].sort());
  });
});

describe("names", () => {
  it("are operation ids, or methods and paths, and are unique", () => {
    const paths = {
      "/a/{b}": { parameters: [{ name: "b", in: "path" }], get: {}, post: { operationId: "do it!" } },
      "/c": { get: { operationId: "do it!" }, put: { operationId: " " } },
    };
    const names = read({ paths }).tools.map(({ name }) => name);
    expect(names.sort()).toEqual(["do_it", "do_it_2", "get_a_b", "put_c"]);
  });
});

describe("input schemas", () => {
  const components = {
    schemas: {
      Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" }, "x-id": { type: "string" } } },
      "With space": { type: "string", example: "left out", "x-extra": 1, externalDocs: {} },
      Choice: {
        oneOf: [{ $ref: "#/components/schemas/Node" }, { type: "null" }],
        discriminator: { propertyName: "t" },
      },
    },
    parameters: { Page: { name: "page", in: "query", schema: { type: "integer", default: 1 } } },
    requestBodies: {
      Body: { required: true, content: { "application/json": { schema: { $ref: "#/components/schemas/Choice" } } } },
    },
  };

  it("are self-contained, with circles, choices and names of any kind", () => {
    const tool = only(
      "/a",
      "post",
      {
        parameters: [
          { $ref: "#/components/parameters/Page" },
          { name: "s", in: "query", schema: { $ref: "#/components/schemas/With%20space" } },
        ],
        requestBody: { $ref: "#/components/requestBodies/Body" },
      },
      { components },
    );
    expect(tool.inputSchema).toEqual({
      type: "object",
      properties: {
        page: { type: "integer", default: 1 },
        s: { $ref: "#/$defs/With_20space" },
        body: { $ref: "#/$defs/Choice" },
      },
      required: ["body"],
      additionalProperties: false,
      $defs: {
        With_20space: { type: "string" },
        Choice: { oneOf: [{ $ref: "#/$defs/Node" }, { type: "null" }] },
        // A property may have the name of an extension.
        Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" }, "x-id": { type: "string" } } },
      },
    });
  });

  it("are converted from OpenAPI 3.0", () => {
    const schema = { type: "integer", nullable: true, minimum: 1, exclusiveMinimum: true };
    const paths = { "/a": { get: { parameters: [{ name: "n", in: "query", schema }] } } };
    const [tool] = readDocument({ text: JSON.stringify({ openapi: "3.0.1", paths }), documentUrl: null }).tools;
    expect(tool!.inputSchema.properties).toEqual({ n: { type: ["integer", "null"], exclusiveMinimum: 1 } });
  });

  it("are left open if they are too large, and every reference still resolves", () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [
        `S${n}`,
        {
          type: "object",
          description: "d".repeat(900),
          properties: { next: { $ref: `#/components/schemas/S${n + 1 === 200 ? 0 : n + 1}` } },
        },
      ]),
    );
    const body = { content: { "application/json": { schema: { $ref: "#/components/schemas/S0" } } } };
    const { inputSchema } = only("/a", "post", { requestBody: body }, { components: { schemas: many } });
    expect(JSON.stringify(inputSchema).length).toBeLessThan(40_000);
    const definitions = inputSchema.$defs as Record<string, unknown>;
    const named = JSON.stringify(inputSchema).matchAll(/"#\/\$defs\/(\w+)"/g);
    for (const [, name] of named) expect(Object.hasOwn(definitions, name!)).toBe(true);
    expect(Object.values(definitions)).toContain(true);
    let deep: object = { type: "string" };
    for (let depth = 0; depth < 500; depth++) deep = { type: "array", items: deep };
    expect(
      JSON.stringify(only("/a", "get", { parameters: [{ name: "d", in: "query", schema: deep }] }).inputSchema).length,
    ).toBeLessThan(2_000);
  });

  it("drop operations whose references leave the document or lead nowhere, and keep the others", () => {
    const withBody = (schema: object) => ({
      requestBody: { required: true, content: { "application/json": { schema } } },
    });
    const { tools, dropped } = read({
      paths: {
        "/away": { post: withBody({ $ref: "other.yaml#/A" }) },
        "/nowhere": { post: withBody({ $ref: "#/components/schemas/None" }) },
        "/circle": { $ref: "#/paths/~1circle" },
        "/bytes": { put: { requestBody: { required: true, content: { "image/png": {} } } } },
        "/lost/{id}": { get: {} },
        "/good": { get: {} },
      },
    });
    expect(tools.map(({ name }) => name)).toEqual(["get_good"]);
    expect(dropped.map(({ name }) => name).sort()).toEqual([
      "/circle",
      "get_lost_id",
      "post_away",
      "post_nowhere",
      "put_bytes",
    ]);
  });
});

describe("a request", () => {
  const parameter = (given: Partial<ApiParameter>): ApiParameter => ({
    ...{ name: "p", argument: "p", in: "query", style: "form", explode: true },
    ...given,
  });
  const operation = (given: Partial<ApiOperation>): ApiOperation => ({
    ...{ method: "GET", path: "/x", server: "https://a.example/v1/", parameters: [], security: [] },
    ...given,
  });
  const urlOf = (given: Partial<ApiParameter>, value: unknown) => {
    const path = given.in === "path" ? "/x/{p}" : "/x";
    const { url } = requestOf(operation({ path, parameters: [parameter(given)] }), { p: value }, null);
    return url.slice("https://a.example/v1/x".length);
  };
  const colors = ["blue", "black"];
  const color = { R: 100, G: 200 };

  // The table of OpenAPI 3.1, section "Style Examples".
  it("writes parameters in every style", () => {
    const path = { in: "path" as const };
    expect(urlOf({ ...path, style: "simple", explode: false }, colors)).toBe("/blue,black");
    expect(urlOf({ ...path, style: "simple", explode: false }, color)).toBe("/R,100,G,200");
    expect(urlOf({ ...path, style: "simple", explode: true }, color)).toBe("/R=100,G=200");
    expect(urlOf({ ...path, style: "label", explode: false }, colors)).toBe("/.blue,black");
    expect(urlOf({ ...path, style: "label", explode: true }, colors)).toBe("/.blue.black");
    expect(urlOf({ ...path, style: "matrix", explode: false }, colors)).toBe("/;p=blue,black");
    expect(urlOf({ ...path, style: "matrix", explode: true }, colors)).toBe("/;p=blue;p=black");
    expect(urlOf({ ...path, style: "matrix", explode: true }, color)).toBe("/;R=100;G=200");
    expect(urlOf({}, colors)).toBe("?p=blue&p=black");
    expect(urlOf({ explode: false }, colors)).toBe("?p=blue%2Cblack");
    expect(urlOf({}, color)).toBe("?R=100&G=200");
    expect(urlOf({ explode: false }, color)).toBe("?p=R%2C100%2CG%2C200");
    expect(urlOf({ style: "spaceDelimited", explode: false }, colors)).toBe("?p=blue+black");
    expect(urlOf({ style: "pipeDelimited", explode: false }, colors)).toBe("?p=blue%7Cblack");
    expect(urlOf({ style: "deepObject" }, color)).toBe("?p%5BR%5D=100&p%5BG%5D=200");
    expect(urlOf({ json: true }, color)).toBe("?p=%7B%22R%22%3A100%2C%22G%22%3A200%7D");
  });

  it("omits absent values, and puts headers and cookies in their places", () => {
    const parameters = [
      parameter({ name: "q", argument: "q" }),
      parameter({ name: "X-List", argument: "list", in: "header", style: "simple", explode: false }),
      parameter({ name: "sid", argument: "sid", in: "cookie" }),
    ];
    const { url, headers } = requestOf(operation({ parameters }), { q: null, list: colors, sid: "a;b" }, null);
    expect({ url, headers }).toEqual({
      url: "https://a.example/v1/x",
      headers: { "x-list": "blue,black", cookie: "sid=a%3Bb" },
    });
  });

  it("stays below the address of its server", () => {
    expect(urlOf({ in: "path", style: "simple" }, "../../b?c#d")).toBe("/..%2F..%2Fb%3Fc%23d");
    for (const value of ["..", ".", "", null])
      expect(() => urlOf({ in: "path", style: "simple" }, value)).toThrow(ApiRequestError);
    expect(requestOf(operation({}), {}, "https://b.example/base").url).toBe("https://b.example/base/x");
    expect(() => requestOf(operation({ server: "" }), {}, null)).toThrow(ApiRequestError);
  });
});

test("reads a document of 2,000 operations in about a second, as JSON and as YAML without aliases", () => {
  const paths = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [
      `/t${n}/{id}`,
      { parameters: [{ name: "id", in: "path" }], get: {}, put: {} },
    ]),
  );
  expect(read({ paths }).tools).toHaveLength(2_000);
  const bomb = [
    "a: &a [x,x,x,x,x,x,x,x,x]",
    ..."bcdefghij".split("").map((name, n) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghi"[n]}`).join()}]`),
  ];
  expect(() => readDocument({ text: ["openapi: 3.1.0", ...bomb].join("\n"), documentUrl: null })).toThrow(
    "neither JSON nor YAML",
  );
});
