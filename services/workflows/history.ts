import { callerOf, handle } from "../../contracts/call.ts";
import { diffWorkflows } from "../../core/workflow-diff.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { Writer } from "./file-holds.ts";
import { findVersion, findWorkflow } from "./find-workflow.ts";
import { changeContent } from "./write.ts";

export const diff = handle<"workflows.diff", WithStore>("workflows.diff", async function (ctx) {
  const { from, to } = ctx.params;
  const workflow = await findWorkflow(this.store, ctx.params);
  const [a, b] = await Promise.all([from, to].map(number => findVersion(this.store, workflow, number)));
  return { from, to, ...diffWorkflows(a!, b!) };
});

export const restoreVersion = handle<"workflows.restoreVersion", Writer>(
  "workflows.restoreVersion",
  async function (ctx) {
    const workflow = await findWorkflow(this.store, ctx.params);
    const { name, description, definition } = await findVersion(this.store, workflow, ctx.params.version);
    return changeContent(this, ctx.params, { name, description, definition }, callerOf(ctx).userId);
  },
);
