import { handle } from "../../../contracts/call.ts";
import { notFound } from "../../../contracts/errors.ts";
import { getExecution, journalOf } from "../store/read-execution.ts";
import { stepPayloads } from "../store/step-payloads.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

export const output = handle<"executions.output", ExecutionsService>("executions.output", async function (ctx) {
  const { workspaceId, nodeId, path = [] } = ctx.params;
  const doc = await getExecution(this, ctx.params);
  const found = await this.reads.run(async () => {
    const outline = await this.outlines.of(workspaceId, doc.id);
    return stepPayloads(journalOf(this, doc), outline, { nodeId, path });
  });
  if (!found) throw notFound("step");
  return { ...found, output: await this.values.shown(workspaceId, found.output) };
});
