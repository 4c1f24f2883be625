import { globSync, readFileSync } from "node:fs";
import { outboundFaults } from "../support/outbound-rule.ts";

const faults = (source: string, path = "services/a/x.ts") => outboundFaults({ [path]: source }, []);

it("allows outbound calls of the service only through the guard", () => {
  const paths = globSync("{adapters,config,contracts,core,middlewares,service-kit,services,telemetry}/**/*.ts");
  const files = Object.fromEntries(paths.map(path => [path.replaceAll("\\", "/"), readFileSync(path, "utf8")]));
  expect(Object.keys(files).length).toBeGreaterThan(200);
  expect(outboundFaults(files)).toEqual([]);
});

it.each([
  ['import { request } from "undici";', "undici"],
  ['import { undici } from "../../adapters/net/undici.ts";', "../../adapters/net/undici.ts"],
  ['import http from "node:http";', "node:http"],
  ['import https from "https";', "https"],
  ['import { connect } from "node:net";', "node:net"],
  ['const tls = await import("node:tls");', "node:tls"],
  ['const { request } = process.getBuiltinModule("node:http");', "node:http"],
  ["const http = process.getBuiltinModule(name);", "getBuiltinModule"],
  ["const { getBuiltinModule: give } = process;", "getBuiltinModule"],
  ['import { Client } from "@modelcontextprotocol/client";', "@modelcontextprotocol/client"],
  ["await fetch(url);", "fetch"],
  ["const f = fetch;", "fetch"],
  ["give({ fetch });", "fetch"],
  ["give({ get: fetch });", "fetch"],
  ["give(fetch);", "fetch"],
  ["() => fetch;", "fetch"],
  ["function f() { return fetch; }", "fetch"],
  ["globalThis.fetch(url);", "fetch"],
  ["function f(fetch: F) { fetch(a); } fetch(b);", "fetch"],
  ["new WebSocket(url);", "WebSocket"],
])("rejects %s", (source, what) => {
  expect(faults(source)).toEqual([`services/a/x.ts uses ${what}: only adapters/net/ calls out`]);
});

it.each([
  'import type { IncomingMessage } from "node:http";',
  'const { readFileSync } = process.getBuiltinModule("node:fs");',
  "net.fetch(url);",
  "function f(fetch: F) { return fetch(url); }",
  "const f = ({ fetch }: Options) => fetch(url);",
  "function f(o: Options) { const { fetch } = o; return () => fetch(url); }",
  "const api = { fetch: (a: string) => a };",
  "interface A { fetch(a: string): void }",
  'type F = typeof fetch; const word = "fetch";',
])("accepts %s", source => expect(faults(source)).toEqual([]));

it("accepts exceptions for their own calls only, and reports unused exceptions", () => {
  const files = { "services/a/x.ts": "fetch(a)", "services/b/c/y.ts": "fetch(a)" };
  const exceptions = [
    ["services/a/x.ts", "fetch", ""],
    ["services/b/", "fetch", ""],
  ] as const;
  expect(outboundFaults(files, exceptions)).toEqual([]);
  expect(outboundFaults({ ...files, "services/b/z.ts": 'import "undici";' }, exceptions)).toHaveLength(1);
  expect(outboundFaults({ "services/a/x.ts": "fetch(a)" }, exceptions)).toEqual([
    "services/b/ does not use fetch: the exception is not needed",
  ]);
});
