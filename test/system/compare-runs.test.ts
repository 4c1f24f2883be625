import { randomUUID } from "node:crypto";
import { type Api, type Json, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, gives, node } from "../support/definition.ts";
import { start } from "../support/executions.ts";
import { untilEnd } from "../support/follow.ts";
import { expectProblem } from "../support/problem.ts";
import { sharedServer } from "../support/shared.ts";

let api: Api;
let space: string;
let url: string;
beforeAll(async () => {
  ({ url } = await sharedServer());
  ({ api, space } = await newWorkspace(url));
});

const inside = (parentId: string, made: object) => ({ ...made, parentId });
const onward = { policy: { onError: "continue" } };
const LARGE = "{{ [1..6000].{ 'n': $, 'text': 'row ' & $ & ' of a long list of many rows' } }}";
const CHECK = `{{ item = input.bad ? $error("No " & item) : { "seen": item, "of": input.name } }}`;
const definitionOf = (last: unknown, large = LARGE, ...more: object[]) =>
  definition(
    [
      gives("first", "{{ input.name }}"),
      node("branch", "condition", { if: "{{ input.go }}" }),
      gives("yes", "taken"),
      gives("large", large),
      node("each", "map", { items: "{{ [1..30] }}", concurrency: 10 }),
      inside("each", node("check", "transform", { value: CHECK }, onward)),
      gives("last", last),
      ...more,
    ],
    "first > branch",
    "branch:true > yes",
    "first > large",
    "large > each",
    "each > last",
  );

async function run(workflowId: string, input: unknown): Promise<string> {
  const started = await start(api, space, workflowId, input);
  await untilEnd(api, started.path);
  return started.id;
}

describe("two runs", () => {
  let [a, b] = ["", ""];
  let workflowId: string;
  beforeAll(async () => {
    workflowId = await newWorkflow(api, space, definitionOf({ done: true, by: "{{ input.name }}" }));
    a = await run(workflowId, { name: "Ada", go: true, bad: 0 });
    b = await run(workflowId, { name: "Ada", go: false, bad: 17 });
  });

  const compared = async (from: string, to: string): Promise<Json> => {
    const { status, body } = await api.get(`${space}/executions/${from}/compare/${to}`);
    expect(status).toBe(200);
    return body;
  };
  const rowsOf = ({ steps }: Json) =>
    Object.fromEntries(
      (steps as Json[]).map(row => [
        [row.nodeId, ...((row.path ?? []) as Json[]).map(part => part.index as number)].join(":"),
        row,
      ]),
    ) as Record<string, Json>;

  it("are aligned by step and item, with what differs in status, error and output", async () => {
    const body = await compared(a, b);
    expect(body).toMatchObject({ a: { id: a, startedByName: expect.any(String) }, b: { id: b }, truncated: false });
    expect(body.input).toEqual([
      { op: "replace", path: "/go", from: true, to: false },
      { op: "replace", path: "/bad", from: 0, to: 17 },
    ]);
    const rows = rowsOf(body);
    expect(
      Object.entries(rows)
        .map(([at, { change }]) => `${at} ${change}`)
        .sort(),
    ).toEqual([
      "branch changed",
      "check:16 changed",
      "each changed",
      "first equal",
      "large equal",
      "last equal",
      "yes changed",
    ]);
    expect(rows["check:16"]).toMatchObject({
      path: [{ nodeId: "each", index: 16 }],
      a: { status: "completed", error: null },
      b: { status: "failed", error: { message: expect.stringContaining("No 17") } },
    });
    expect([rows.yes!.a.status, rows.yes!.b.status]).toEqual(["completed", "skipped"]);
    // The items without a difference are counted, and not listed.
    expect(body.counts).toEqual({ equal: 3 + 29, changed: 4, added: 0, removed: 0 });
  });

  it("show how outputs differ, also outputs in files, and which steps exist in one version only", async () => {
    const changed = definitionOf(
      { done: false, by: "{{ input.name }}" },
      LARGE.replace("'n': $", "'n': $ = 7 ? 'seven' : $"),
      gives("new", 1),
    );
    const { status } = await api.patch(`${space}/workflows/${workflowId}`, { definition: changed });
    expect(status).toBe(200);
    const c = await run(workflowId, { name: "Ada", go: true, bad: 0 });
    const body = await compared(a, c);
    const rows = rowsOf(body);
    expect(body.input).toEqual([]);
    expect(rows.large!.output).toEqual([{ op: "replace", path: "/6/n", from: 7, to: "seven" }]);
    expect(rows.last!.output).toEqual([{ op: "replace", path: "/done", from: true, to: false }]);
    expect(rows.new).toMatchObject({ change: "added", a: null, b: { status: "completed" } });
    expect(body.counts).toMatchObject({ changed: 2, added: 1, removed: 0 });
    expect((await compared(c, a)).counts).toMatchObject({ changed: 2, added: 0, removed: 1 });
  });

  it("are compared only within one workspace", async () => {
    const stranger = await newWorkspace(url);
    const path = `${space}/executions/${a}/compare/${b}`;
    expect((await stranger.api.get(path)).status).toBe(404);
    const { id } = await runToEnd(stranger.api, stranger.space, definition([gives("one", 1)]));
    for (const other of [id as string, randomUUID(), "none"])
      expectProblem(await api.get(`${space}/executions/${a}/compare/${other}`), 404, "not_found");
  });
});

describe("a search of a run", () => {
  let path: string;
  beforeAll(async () => {
    const workflowId = await newWorkflow(api, space, definitionOf("{{ $error('Broken for good') }}"));
    const id = await run(workflowId, { name: "Grace", go: true, bad: 3 });
    path = `${space}/executions/${id}/search`;
  });
  const found = async (q: string): Promise<Json> => {
    const { status, body } = await api.get(`${path}?q=${encodeURIComponent(q)}`);
    expect(status).toBe(200);
    return body;
  };

  it("finds a text in the input, in outputs and in errors, with its place", async () => {
    const { matches, complete } = await found("GRACE");
    expect(complete).toBe(true);
    expect((matches as Json[]).slice(0, 2)).toEqual([
      { nodeId: null, in: "input", pointer: "/name", excerpt: "Grace" },
      { nodeId: "first", in: "output", pointer: "", excerpt: "Grace" },
    ]);
    expect(matches).toHaveLength(2 + 29);
    expect(matches).toContainEqual({
      ...{ nodeId: "check", path: [{ nodeId: "each", index: 29 }], in: "output" },
      ...{ pointer: "/of", excerpt: "Grace" },
    });
    const handled = { nodeId: "check", path: [{ nodeId: "each", index: 2 }], in: "output", pointer: "/error/message" };
    expect((await found("no 3")).matches).toEqual([expect.objectContaining(handled)]);
    const failed = { nodeId: "last", in: "error", pointer: "/message" };
    expect((await found("for GOOD")).matches).toEqual([expect.objectContaining(failed)]);
  });

  it("searches outputs that are stored as files", async () => {
    const { matches } = await found("row 5999 of");
    expect(matches).toEqual([
      { nodeId: "large", in: "output", pointer: "/5998/text", excerpt: "row 5999 of a long list of many rows" },
    ]);
  });

  it("returns at most 200 matches, and says if there are more", async () => {
    const { matches, complete } = await found("row");
    expect([matches.length, complete]).toEqual([200, false]);
    expect(await found("nowhere at all")).toEqual({ matches: [], complete: true });
  });

  it.each(["", `q=${"x".repeat(201)}`, "q="])("rejects %j", async query => {
    expectProblem(await api.get(`${path}?${query}`), 400, "validation_failed");
  });
});
