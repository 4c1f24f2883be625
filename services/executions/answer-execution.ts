import { Validator } from "@cfworker/json-schema";
import { handle, hint } from "../../contracts/call.ts";
import type { Execution } from "../../contracts/entities/execution.ts";
import { AppError } from "../../contracts/errors.ts";
import { openQuestion } from "../../core/run/advance.ts";
import { isFinal } from "../../core/run/state.ts";
import { headOrder } from "./engine/queue-order.ts";
import { Executions, type Answer } from "./model.ts";
import { present } from "./present.ts";
import { getExecution, journalOf, type Address, type ExecutionsService } from "./service.ts";

/** Data against the form of the question, a JSON Schema. The schema is interpreted: no code is made of what users wrote. */
function checkForm(form: unknown, data: unknown): void {
  if (form === null || typeof form !== "object") return;
  const { valid, errors } = new Validator(form, "2020-12", false).validate(data ?? null);
  if (valid) return;
  const faults = errors.slice(0, 50).map(error => ({
    path: ["data", ...error.instanceLocation.split("/").slice(1)].join("."),
    message: error.error,
  }));
  throw new AppError("validation_failed", { detail: "The data does not fit the form.", errors: faults });
}

async function answer(
  service: ExecutionsService,
  address: Address,
  given: { approved: boolean; data?: unknown; nodeId?: string; respondedBy: string },
): Promise<Execution> {
  const { store, engine, broker } = service;
  const doc = await getExecution(service, address);
  if (doc.status !== "suspended") throw new AppError("execution_not_suspended");
  const nodeId = given.nodeId ?? doc.suspension?.nodeId;
  const state = await journalOf(service, address).fold();
  const question = nodeId === undefined || isFinal(state.status) ? undefined : openQuestion(state, nodeId);
  if (!question) throw new AppError("execution_not_suspended", { detail: "No step of this name waits for an answer." });
  const data = given.data ?? null;
  if (given.approved) checkForm(question.form, data);
  const taken: Answer = {
    nodeId: question.nodeId,
    approved: given.approved,
    data,
    respondedBy: given.respondedBy,
    respondedAt: new Date().toISOString(),
  };
  const order = (await headOrder(store)) ?? 0;
  const updated = await store
    .tenant(Executions, address.workspaceId)
    .updateOne(
      { id: doc.id, status: "suspended" },
      { $set: { status: "pending", queued: true, order, answer: taken }, $unset: { suspension: 1, wakeAt: 1 } },
    );
  if (!updated) throw new AppError("execution_not_suspended");
  engine.poke();
  hint(broker, "one", "execution.queued", { executionId: doc.id });
  return present(updated, { input: state.input, output: null });
}

function respondedBy(identity: { userId: string } | undefined): string {
  if (!identity) throw new AppError("unauthenticated");
  return identity.userId;
}

export const respond = handle<"executions.respond", ExecutionsService>("executions.respond", async function (ctx) {
  const { approved, data, nodeId, ...address } = ctx.params;
  return answer(this, address, { approved, data, nodeId, respondedBy: respondedBy(ctx.meta.identity) });
});

export const approve = handle<"executions.approve", ExecutionsService>("executions.approve", async function (ctx) {
  return answer(this, ctx.params, { approved: true, respondedBy: respondedBy(ctx.meta.identity) });
});
