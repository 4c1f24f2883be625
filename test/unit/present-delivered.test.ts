import type { Execution, Suspension } from "../../contracts/entities/execution.ts";
import { deliveredExecution } from "../../contracts/entities/webhook.ts";
import { presentDelivered } from "../../services/webhooks/answers.ts";

const id = "01980000-0000-7000-8000-000000000001";
const user = "01980000-0000-7000-8000-0000000000aa";
const at = "2026-01-01T00:00:00.000Z";
const ask: Suspension = {
  nodeId: "ask",
  prompt: "Go on?",
  assignees: [user],
  expiresAt: null,
  form: { type: "object" },
};
const run: Execution = {
  ...{ id, workspaceId: id, spaceId: id, workflowId: id, workflowVersion: 1, status: "suspended", startedBy: user },
  ...{ trigger: { type: "webhook", id }, error: null, suspension: ask, suspensions: [ask], attempt: 1 },
  ...{ createdAt: at, startedAt: at, finishedAt: null, input: { by: "the sender" }, output: null },
};

test("shows the sender of a delivery the question, but no user", () => {
  const shown = presentDelivered(run);
  expect(shown.suspension).toEqual({ nodeId: "ask", prompt: "Go on?", expiresAt: null, form: { type: "object" } });
  expect(JSON.stringify(shown)).not.toContain(user);
  expect(JSON.stringify(shown)).not.toContain("the sender");
});

test("shows the sender every field that the API describes", () => {
  expect(Object.keys(presentDelivered(run)).sort()).toEqual(Object.keys(deliveredExecution.shape).sort());
});
