import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../support/api.ts";
import { startCli } from "../support/cli.ts";
import { definition, gives, node } from "../support/definition.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "weft-tests-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const inside = (parentId: string, made: object) => ({ ...made, parentId });

const what = definition(
  [
    node(
      "get",
      "http",
      {
        url: "https://{{ vars.HOST }}/{{ input.id }}",
        headers: { "x-key": "{{ secrets.shop.key }}" },
      },
      { policy: { retry: { maxAttempts: 2 } } },
    ),
    node("js", "code", { code: "return steps.get.body.price * 2" }),
    node("later", "delay", { ms: 86_400_000 }),
    node("each", "map", { items: "{{ [1, 2] }}" }),
    inside("each", gives("one", "{{ item * steps.js }}")),
    node("link", "transform", { value: "{{ $resumeUrl('j' & 's') }}" }),
  ],
  "get > js",
  "js > later",
  "later > each",
);
const mocks = { get: [{ error: { code: "http_status" } }, { output: { body: { price: 5 } } }] };
const variables = { HOST: "shop.example" };
test("runs the tests of a folder without a server, prints what differs, and exits with 1", async () => {
  const input = { id: 7 };
  const good = {
    name: "doubles the price",
    ...{ input, variables, mocks, until: "each" },
    expect: {
      output: [10, 20],
      steps: {
        get: { attempts: 2, input: { url: "https://shop.example/7", headers: { "x-key": "•••" } } },
        "one[1]": { output: 20 },
      },
    },
  };
  const bad = { ...good, name: "differs", expect: { output: [10, 21], steps: { js: { status: "failed" } } } };
  const silent = { name: "has no mock", input, variables, expect: { error: "not_mocked" } };
  const link = { name: "makes an address", from: "link", until: "link" };
  const file = { format: "weft-workflow", version: 1, name: "Order", description: "" };
  writeFileSync(
    join(folder, "order.json"),
    JSON.stringify({ ...file, definition: { ...what, tests: [good, bad, silent, link] } }),
  );
  mkdirSync(join(folder, "more", "node_modules"), { recursive: true });
  const faulty = { ...definition([gives("a", 1)]), tests: [{ name: "x", mocks: { b: { output: 1 } } }] };
  writeFileSync(join(folder, "more", "faulty.json"), JSON.stringify(faulty));
  writeFileSync(join(folder, "more", "other.json"), JSON.stringify({ some: "thing" }));
  writeFileSync(join(folder, "more", "node_modules", "skipped.json"), JSON.stringify(faulty));
  const home = join(folder, "home");
  mkdirSync(home);
  const { code, stdout, stderr } = await startCli(
    ["test", folder, "--json"],
    { HOME: home, DATA_DIR: home },
    "",
    folder,
  ).ended;
  expect(stderr).toBe("");
  expect(code).toBe(1);
  const results = (JSON.parse(stdout) as Json[]).map(({ test: name, passed, differences }) => {
    return [name, passed, (differences as Json[]).map(({ path }) => path as string)] as unknown;
  });
  expect(results).toEqual([
    ["is valid", false, ["/tests/0/mocks/b"]],
    ["doubles the price", true, []],
    ["differs", false, ["/output/1", "/steps/js/status"]],
    ["has no mock", true, []],
    ["makes an address", true, []],
  ]);
  // It leaves no keys or data.
  expect(readdirSync(home)).toEqual([]);
});

test("exits with 1 where there are no tests", async () => {
  const empty = join(folder, "none.json");
  writeFileSync(empty, JSON.stringify(definition([gives("a", 1)])));
  const { code, stderr } = await startCli(["test", empty], { HOME: folder }).ended;
  expect(code).toBe(1);
  expect(stderr).toContain("There are no tests");
});
