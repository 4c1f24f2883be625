import { createContext, runInContext } from "node:vm";
import ts from "typescript";
import { ROUTES } from "../../contracts/routes.ts";
import { compareWithInferred, compileSdk } from "../../scripts/sdk/compile.ts";
import { definitionText } from "../../scripts/sdk/definition-text.ts";
import { methodsText } from "../../scripts/sdk/methods-text.ts";
import type { Weft as WeftClient, WeftOptions } from "../../sdk/index.ts";

const definition = definitionText();

it("has the same types as the contracts, and detects differences", () => {
  const doctored = definition.replace("input: { refreshToken: string }", "input: { refreshToken: number }");
  // That one, of all calls, and nothing else.
  expect(() => compareWithInferred(doctored)).toThrow(
    /^[^\n]*(\n {2}[^\n]*)?"identity\.refresh\\?"'[^\n]*\n[^\n]*"Calls"'[^\n]*$/,
  );
});

describe("the package", () => {
  let files: Record<string, string>;
  beforeAll(() => (files = compileSdk(definition, methodsText())));

  /** Loads a module as a page would, but that it waits for nothing: there is nothing in `globals` but what browsers have. */
  function load(globals: object): Record<string, unknown> {
    const context = createContext(globals);
    const loaded = new Map<string, Record<string, unknown>>();
    const require = (name: string): Record<string, unknown> => {
      const known = loaded.get(name);
      if (known) return known;
      const exports: Record<string, unknown> = {};
      loaded.set(name, exports);
      const { outputText } = ts.transpileModule(files[name.slice(2)] ?? "", {
        compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
      });
      const run = runInContext(`(function (require, exports) {${outputText}\n})`, context) as (
        ...args: unknown[]
      ) => void;
      run(require, exports);
      return exports;
    };
    return require("./index.js");
  }

  it("documents every method", () => {
    const declared = files["methods.d.ts"] ?? "";
    const methods = [...declared.matchAll(/(\*\/\s*)?readonly [\w"]+: Method<"([\w.]+)">/g)];
    expect(methods.map(([, , action]) => action).sort()).toEqual(
      [...new Set(ROUTES.filter(({ upload }) => upload?.types !== "any").map(route => route.action))].sort(),
    );
    expect(methods.filter(([, documented]) => documented === undefined)).toEqual([]);
    expect(declared).toContain("* Create a workflow");
  });

  it("imports nothing but its own files, neither in its code nor in its types", () => {
    const foreign = Object.entries(files).flatMap(([path, text]) =>
      ts
        .preProcessFile(text)
        .importedFiles.map(({ fileName }) => fileName)
        .filter(name => !(name.replace(/\.ts$/, path.endsWith(".d.ts") ? ".d.ts" : ".ts").slice(2) in files))
        .map(name => `${path}: ${name}`),
    );
    expect(Object.keys(files)).toEqual(expect.arrayContaining(["index.js", "index.d.ts", "definition.js"]));
    expect(foreign).toEqual([]);
  });

  it("uses only what browsers have", async () => {
    const { AbortController, AbortSignal, crypto, Headers, TextDecoder, URLSearchParams } = globalThis;
    const web = {
      AbortController,
      AbortSignal,
      crypto,
      Headers,
      TextDecoder,
      URLSearchParams,
      setTimeout,
      clearTimeout,
    };
    const sent: [string, RequestInit][] = [];
    const fetch = (url: string, init: RequestInit) => {
      sent.push([url, init]);
      return Promise.resolve(
        new Response('{"id":"w"}', { status: 201, headers: { "content-type": "application/json" } }),
      );
    };
    const { Weft } = load({ ...web, fetch }) as { Weft: new (options: WeftOptions) => WeftClient };
    const weft = new Weft({ url: "https://weft.example/", token: "t", workspaceId: "a", spaceId: "b" });
    expect(await weft.workflows.create({ name: "Loom" })).toEqual({ id: "w" });
    const [[url, { method, body, headers }]] = sent as [[string, RequestInit]];
    expect([url, method, body]).toEqual([
      "https://weft.example/v1/workspaces/a/spaces/b/workflows",
      "POST",
      '{"name":"Loom"}',
    ]);
    expect(Object.fromEntries(headers as Headers)).toEqual({
      accept: "application/json",
      authorization: "Bearer t",
      "content-type": "application/json",
      "idempotency-key": expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it("has a method for every route", () => {
    const { Weft } = load({}) as { Weft: new (options: WeftOptions) => object };
    const weft = new Weft({ url: "https://weft.example" });
    const at = (name: string) =>
      name.split(".").reduce<unknown>((from, word) => (from as Record<string, unknown>)?.[word], weft);
    const streams = ["executions.events", "executions.untilEnd", "notifications.stream"];
    const files = ["files.upload", "files.download", "workspaces.export"];
    const called = ROUTES.filter(({ upload }) => upload?.types !== "any").map(({ action }) => action);
    const missing = [...called, ...streams, ...files].filter(name => typeof at(name) !== "function");
    expect(missing).toEqual([]);
  });
});
