import { definition, gives } from "../support/definition.ts";
import { newWorkflow, newWorkspace } from "../support/api.ts";
import { eventually, read } from "../support/executions.ts";
import { makeDue } from "../support/schedules.ts";
import { type Server, startServer } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

let second: Server | undefined;
afterAll(() => second?.stop());

test("runs a schedule once that came due while no node was running, although two nodes check it", async () => {
  const first = await sharedServer();
  second = await startServer({ dataDir: first.dataDir });
  const { api, workspaceId, space } = await newWorkspace(first.url);
  const workflowId = await newWorkflow(api, space, definition([gives("a", "{{ [input, trigger.dueAt] }}")]));
  const { status, headers, body } = await api.post(`${space}/schedules`, {
    workflowId,
    cronExpr: "0 0 1 JAN *",
    input: "yearly",
  });
  expect({ status, location: headers.get("location") }).toEqual({
    status: 201,
    location: `${space}/schedules/${body.id}`,
  });
  const newYear = new Date(Date.UTC(new Date().getUTCFullYear(), 0, 1));
  await makeDue(first.dataDir, workspaceId, body.id, newYear);
  const runs = `${space}/executions?status=completed`;
  await eventually(async () => (await read(api.at(second!.url), runs)).length > 0, "the schedule runs");
  const [run, ...others] = await read(api, `${space}/executions`);
  expect(others).toEqual([]);
  expect(run.trigger).toEqual({ type: "schedule", id: body.id });
  expect((await read(api, `${space}/executions/${run.id}`)).output).toEqual(["yearly", newYear.toISOString()]);
  // The schedule is written after the run has started, so that a crash between the two loses no run.
  const schedule = () => read(api, `${space}/schedules`).then(([one]) => one);
  await eventually(async () => (await schedule()).lastExecutionId === run.id, "the schedule names its run");
  expect(await schedule()).toMatchObject({ lastExecutionId: run.id, nextRunAt: body.nextRunAt });
  const refused = await api.patch(`${space}/schedules/${body.id}`, { cronExpr: "@daily" });
  expect(refused).toMatchObject({ status: 400, body: { code: "validation_failed", errors: [{ path: "/cronExpr" }] } });
});
