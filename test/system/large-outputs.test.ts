import { storeAt } from "../support/real-servers.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import { Executions, Journal, journalRange } from "../../services/executions/store/model.ts";
import { type Api, type Json, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { definition, node } from "../support/definition.ts";
import { download } from "../support/files.ts";
import type { Server } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let server: Server;
let api: Api;
let workspaceId: string;
let space: string;
beforeAll(async () => {
  server = await sharedServer();
  ({ api, workspaceId, space } = await newWorkspace(server.url));
});

/** A list whose JSON has more than a million characters. */
const LARGE = "{{ [1..20000].{ 'n': $, 'text': 'the same forty characters in every row' } }}";
const make = node("make", "transform", { value: LARGE });

async function journalChars(executionId: string): Promise<number> {
  const store = await openStore({ ...storeAt(server.dataDir), collections: [Journal, Executions] });
  try {
    const { items } = await store
      .tenant(Journal, workspaceId)
      .find({ id: journalRange(executionId) }, { limit: 1_000 });
    return JSON.stringify(items).length;
  } finally {
    await store.close();
  }
}

const entryOf = async (executionId: string, nodeId: string): Promise<Json> => {
  const { body } = await api.get(`${space}/executions/${executionId}/logs?limit=200`);
  return (body as Json[]).find(entry => entry.nodeId === nodeId && entry.event === "step.completed");
};

describe("an output over 256 KiB", () => {
  it("is complete for expressions, the caller and a subworkflow, and is not in the journal", async () => {
    const inner = await newWorkflow(api, space, definition([make]));
    const run = await runToEnd(
      api,
      space,
      definition(
        [
          make,
          node("count", "transform", { value: "{{ $count(steps.make) }}" }),
          node("last", "transform", { value: "{{ steps.make[19999].n }}" }),
          node("child", "subworkflow", { workflowId: inner, input: "{{ steps.make }}" }),
          node("both", "merge", {}),
          node("seen", "transform", {
            value: { count: "{{ steps.count }}", last: "{{ steps.last }}", both: "{{ $count(steps.both.child) }}" },
          }),
        ],
        "make > count",
        "count > last",
        "make > child",
        "last > both",
        "child > both",
        "both > seen",
      ),
    );
    expect(run).toMatchObject({ status: "completed", output: { count: 20_000, last: 20_000, both: 20_000 } });
    expect(await journalChars(run.id as string)).toBeLessThan(16_000);
  });

  it("is complete as the output of the run, and a reference in its log", async () => {
    const run = await runToEnd(api, space, definition([make]));
    expect(run.output).toHaveLength(20_000);
    const read = await api.get(`${space}/executions/${run.id as string}`);
    expect(read.body.output).toEqual(run.output);
    const step = await api.get(`${space}/executions/${run.id as string}/output?nodeId=make`);
    expect(step.body.output).toEqual(run.output);
    const { output } = await entryOf(run.id as string, "make");
    expect(output).toEqual({ $large: expect.objectContaining({ size: expect.any(Number) as number }) as object });
    const { bytes } = await download(api, workspaceId, output.$large.id as string);
    expect(JSON.parse(bytes.toString())).toEqual(run.output);
    const { body: files } = await api.get(`/v1/workspaces/${workspaceId}/files`);
    expect(files).toEqual([]);
  });

  it("is kept by a retry, and available to a test of a step", async () => {
    const workflowId = await newWorkflow(
      api,
      space,
      definition(
        [make, node("stop", "fail", { message: "{{ 'there are ' & $string($count(steps.make)) }}" })],
        "make > stop",
      ),
    );
    const start = await api.post(`${space}/executions`, { workflowId }, { prefer: "wait=30" });
    expect(start.body.error).toMatchObject({ message: "there are 20000" });
    const again = await api.post(`${space}/executions/${start.body.id as string}/retry`);
    expect(again.status).toBe(201);
    const id = again.body.id as string;
    await api.get(`${space}/executions/${id}/events`);
    const { body } = await api.get(`${space}/executions/${id}`);
    expect(body.error).toMatchObject({ message: "there are 20000" });
    const kept = await entryOf(id, "make");
    expect(kept).toMatchObject({ message: "Kept from the run before." });
    const tested = await api.post(`${space}/workflows/${workflowId}/test`, {
      nodeId: "stop",
      steps: { make: kept.output as object },
    });
    expect(tested.body.error).toMatchObject({ message: "there are 20000" });
  });

  it("can come from each item of a map", async () => {
    const row = "{{ [1..6000].{ 'n': $, 'item': steps.each.item, 'text': 'the same forty characters in every row' } }}";
    const run = await runToEnd(
      api,
      space,
      definition(
        [
          node("each", "map", { items: [1, 2, 3], concurrency: 2 }),
          node("rows", "transform", { value: row }, { parentId: "each" }),
          node("sum", "transform", { value: "{{ $map(steps.each, function($rows) { $count($rows) }) }}" }),
        ],
        "each > sum",
      ),
    );
    expect(run).toMatchObject({ status: "completed", output: [6_000, 6_000, 6_000] });
    expect(await journalChars(run.id as string)).toBeLessThan(16_000);
  });

  it("is rejected above its limit", async () => {
    const huge =
      "{{ [1..200000].{ 'n': $, 'text': 'eighty characters in each of two hundred thousand rows are too many of them' } }}";
    const run = await runToEnd(api, space, definition([node("make", "transform", { value: huge })]));
    expect(run.status).toBe("failed");
  });

  it("is not readable from another workspace", async () => {
    const other = await newWorkspace(server.url);
    const run = await runToEnd(api, space, definition([make]));
    const { output } = await entryOf(run.id as string, "make");
    const stolen = await runToEnd(
      other.api,
      other.space,
      definition([node("read", "transform", { value: "{{ $count(input) }}" })]),
      output,
    );
    expect(stolen.output).toBe(1);
    expect((await download(other.api, other.workspaceId, output.$large.id as string)).status).toBe(404);
  });
});
