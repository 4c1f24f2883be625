import { callerOf, handle } from "../../../contracts/call.ts";
import type { OpenQuestion } from "../../../contracts/entities/open-question.ts";
import { notFound } from "../../../contracts/errors.ts";
import { openQuestions, type WaitingQuestion } from "../../../core/run/waits.ts";
import { spacesOf } from "../../../service-kit/all-spaces.ts";
import { type Names, namesOf } from "../../../service-kit/names.ts";
import { findRuns } from "../store/find-runs.ts";
import { positionOfCursor } from "../store/run-order.ts";
import { type ExecutionDoc, Executions } from "../store/model.ts";
import { journalOf } from "../store/read-execution.ts";
import { readWithPlace } from "./read-executions.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

/** The most questions of one execution in a list. The others appear once these are answered. */
const MAX_OF_ONE = 100;
/** The most executions that are counted. */
const MAX_COUNTED = 500;

/** The execution's own open questions. Those of a child are listed under the child. */
async function ownQuestions(service: ExecutionsService, doc: ExecutionDoc): Promise<WaitingQuestion[]> {
  const state = await service.reads.run(() => journalOf(service, doc).fold());
  return [...openQuestions(state)].filter(({ suspension }) => !suspension.executionId).slice(0, MAX_OF_ONE);
}

interface Asking {
  doc: ExecutionDoc;
  nodeName: (nodeId: string) => string;
}

function present({ doc, nodeName }: Asking, { at, node, suspension }: WaitingQuestion, names: Names, mine: boolean) {
  const { prompt, question, form, assignees, expiresAt } = suspension;
  const [workflowName, startedByName] = [names.workflow(doc.workflowId), names.user(doc.startedBy)];
  const listed: OpenQuestion = {
    ...{ executionId: doc.id, spaceId: doc.spaceId, workflowId: doc.workflowId, ...(workflowName && { workflowName }) },
    ...{ nodeId: at.nodeId, nodeName: nodeName(at.nodeId), ...(at.path && { path: at.path }) },
    ...{ prompt, ...(question !== undefined && { question }), ...(form !== undefined && { form }) },
    ...{ ...(assignees && { assignees }), mine, askedAt: node.startedAt, expiresAt },
    ...{ trigger: doc.trigger, startedBy: doc.startedBy, ...(startedByName && { startedByName }) },
    createdAt: doc.createdAt.toISOString(),
    ...(doc.parent && { parent: doc.parent }),
  };
  return listed;
}

export const questions = handle<"executions.questions", ExecutionsService>(
  "executions.questions",
  async function (ctx) {
    const { workspaceId, workflowId, mine, limit, cursor } = ctx.params;
    const { userId } = callerOf(ctx);
    const filter = {
      ...{ workspaceId, spaceIds: await spacesOf(ctx, ctx.params), workflowId },
      // A run with several branches may ask while it runs or is queued.
      statuses: ["suspended", "running", "pending"] as const,
      wanted: (docs: ExecutionDoc[]) => Promise.resolve(docs.filter(doc => (doc.asking ?? 0) > 0)),
    };
    const { items: docs, next } = await findRuns(this, filter, positionOfCursor(cursor), limit);
    const users = docs.map(doc => doc.startedBy);
    const names = await namesOf(ctx, workspaceId, { workflows: docs.map(doc => doc.workflowId), users });
    const items: OpenQuestion[] = [];
    for (const doc of docs) {
      const { parsed } = await this.engine.definitions.get(workspaceId, doc.workflowId, doc.workflowVersion);
      const nodeName = (nodeId: string) => parsed.graph?.byId.get(nodeId)?.name ?? nodeId;
      for (const asked of await ownQuestions(this, doc)) {
        const { assignees = [] } = asked.suspension;
        const isMine = assignees.includes(userId);
        if (mine === undefined || (mine ? isMine : assignees.length === 0))
          items.push(present({ doc, nodeName }, asked, names, isMine));
      }
    }
    return { items, next };
  },
);

export const countQuestions = handle<"executions.countQuestions", ExecutionsService>(
  "executions.countQuestions",
  async function (ctx) {
    const { items } = await this.store
      .tenant(Executions, ctx.params.workspaceId)
      .find({ asking: { $exists: true } }, { sort: { status: 1, id: 1 }, limit: MAX_COUNTED });
    // A parent shows the question of its child. The question is counted once, at the child.
    const own = items.filter(doc => !doc.suspension?.executionId);
    return { open: own.reduce((sum, doc) => sum + (doc.asking ?? 0), 0) };
  },
);

export const find = handle<"executions.find", ExecutionsService>("executions.find", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  const doc = await this.store.tenant(Executions, workspaceId).get({ id });
  if (!doc) throw notFound("execution");
  return this.reads.run(() => readWithPlace(this, doc));
});
