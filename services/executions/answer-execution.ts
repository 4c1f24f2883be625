import { ExpressionError } from "../../adapters/expressions/index.ts";
import { callerOf, handle, hint } from "../../contracts/call.ts";
import type { Execution } from "../../contracts/entities/execution.ts";
import { AppError } from "../../contracts/errors.ts";
import type { FormCheck } from "../../core/forms/check-form.ts";
import { openQuestion } from "../../core/run/waits.ts";
import { isFinal } from "../../core/run/state.ts";
import { headOrder } from "./engine/queue-order.ts";
import { Executions, type Answer } from "./model.ts";
import { present } from "./present.ts";
import { getExecution, journalOf, type Address, type ExecutionsService } from "./service.ts";

/** The question that waits for this answer. Throws execution_not_suspended. */
async function findQuestion(service: ExecutionsService, address: Address, named: string | undefined) {
  const doc = await getExecution(service, address);
  if (doc.status !== "suspended") throw new AppError("execution_not_suspended");
  const nodeId = named ?? doc.suspension?.nodeId;
  const state = await journalOf(service, address).fold();
  const question = nodeId === undefined || isFinal(state.status) ? undefined : openQuestion(state, nodeId);
  if (!question) throw new AppError("execution_not_suspended", { detail: "No step of this name waits for an answer." });
  return { doc, state, question };
}

function refuse({ broken, faults }: FormCheck): void {
  if (broken !== undefined) throw new AppError("validation_failed", { detail: `The form cannot be used: ${broken}` });
  if (faults.length > 0)
    throw new AppError("validation_failed", { detail: "The data does not fit the form.", errors: faults });
}

const busy = (error: unknown): never => {
  throw error instanceof ExpressionError ? new AppError("unavailable", { detail: error.message }) : error;
};

async function answer(
  service: ExecutionsService,
  address: Address,
  given: { approved: boolean; data?: unknown; nodeId?: string; respondedBy: string },
): Promise<Execution> {
  const { store, engine, broker } = service;
  const data = given.data ?? null;
  let found = await findQuestion(service, address, given.nodeId);
  const { form, nodeId } = found.question;
  if (given.approved && form) {
    const check = service.expressions.forms.check(form, data, address.workspaceId);
    refuse(check instanceof Promise ? await check.catch(busy) : check);
    // What took a while may have left somebody else the time to answer.
    if (check instanceof Promise) found = await findQuestion(service, address, nodeId);
  }
  const { doc, state, question } = found;
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

export const respond = handle<"executions.respond", ExecutionsService>("executions.respond", async function (ctx) {
  const { approved, data, nodeId, ...address } = ctx.params;
  return answer(this, address, { approved, data, nodeId, respondedBy: callerOf(ctx).userId });
});

export const approve = handle<"executions.approve", ExecutionsService>("executions.approve", async function (ctx) {
  return answer(this, ctx.params, { approved: true, respondedBy: callerOf(ctx).userId });
});
