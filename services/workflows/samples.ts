import { v7 as uuid } from "uuid";
import type { Context } from "moleculer";
import { isNotMatched, isUniqueConflict } from "../../adapters/store/errors.ts";
import type { Store, WriteOp } from "../../adapters/store/port.ts";
import type { ParamsOf } from "../../contracts/actions.ts";
import { call, callerOf, handle } from "../../contracts/call.ts";
import {
  MAX_SAMPLE_BYTES,
  MAX_SAMPLES,
  MAX_SAMPLES_BYTES,
  type Sample,
} from "../../contracts/entities/workflow-draft.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { boundedPage } from "../../service-kit/bounded-page.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { presentSample, type SampleDoc, samples, sampleSets } from "./draft-model.ts";
import { holdSample, releaseSample, type Writer } from "./file-holds.ts";
import { findWorkflow } from "./find-workflow.ts";

/** Each failed attempt means that another request changed the samples of the workflow. */
const MAX_ATTEMPTS = 50;
/** The most bytes of samples that one call reads. More would not fit into a message between nodes. */
const MAX_READ_BYTES = 768 * 1_024;

const without = ({ value: _, ...sample }: Sample): Sample => sample;

export const listSamples = handle<"workflows.samples.list", WithStore>("workflows.samples.list", async function (ctx) {
  const { workspaceId, id: workflowId, nodeId, limit, cursor = null } = ctx.params;
  await findWorkflow(this.store, ctx.params);
  const all = this.store.tenant(samples, workspaceId);
  const filter = { workflowId, ...(nodeId !== undefined && { nodeId }) };
  const page = await boundedPage(
    (max, after) => all.find(filter, { sort: { nodeId: 1 }, limit: max, after }),
    limit,
    cursor,
  );
  const shown = page.items.map(presentSample);
  return { items: nodeId === undefined ? shown.map(without) : shown, next: page.next };
});

type SampleParams = ParamsOf<"workflows.samples.update">;

/**
 * The value in a request, or the value that it refers to.
 * @throws {AppError} validation_failed, not_found
 */
async function givenValue(ctx: Context<SampleParams>): Promise<Pick<SampleDoc, "value" | "source">> {
  const { workspaceId, spaceId, nodeId, value, executionId, path = [] } = ctx.params;
  if ((value === undefined) === (executionId === undefined)) {
    const message = "Give either `value` or `executionId`, not both.";
    throw new AppError("validation_failed", { errors: [{ path: "/value", message }] });
  }
  if (executionId === undefined) return { value, source: null };
  const found = await call(ctx, "executions.output", { workspaceId, spaceId, id: executionId, nodeId, path });
  if (!found.ended || found.status === "skipped") throw notFound("output");
  return { value: found.output, source: { executionId, path: [...path] } };
}

/** @throws {AppError} payload_too_large, limit_reached */
function checkSizes(sizes: Readonly<Record<string, number>>, bytes: number): void {
  if (bytes > MAX_SAMPLE_BYTES) {
    throw new AppError("payload_too_large", { detail: `A sample is limited to ${MAX_SAMPLE_BYTES} bytes of JSON.` });
  }
  const all = Object.values(sizes);
  const total = all.reduce((sum, size) => sum + size, 0);
  if (all.length > MAX_SAMPLES || total > MAX_SAMPLES_BYTES) {
    const detail = `The samples of a workflow are limited to ${MAX_SAMPLES} and to ${MAX_SAMPLES_BYTES} bytes of JSON.`;
    throw new AppError("limit_reached", { detail });
  }
}

/** The workflow and the step of a sample. */
interface SampleAddress {
  workspaceId: string;
  spaceId: string;
  id: string;
  nodeId: string;
}

/**
 * Changes the samples of a workflow together with their sizes. `bytes` is the new size of the step's sample; null if it
 * has none any more. The sizes are written first. An interruption can leave a size without its sample, which the next
 * change of the same sample corrects.
 * @throws {AppError} limit_reached, payload_too_large, conflict
 */
async function change(
  store: Store,
  { workspaceId, spaceId, id, nodeId }: SampleAddress,
  bytes: number | null,
  write: () => Promise<WriteOp>,
): Promise<void> {
  const sets = store.tenant(sampleSets, workspaceId);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const set = await sets.get({ id });
    const others = Object.entries(set?.sizes ?? {}).filter(([other]) => other !== nodeId);
    const sizes = Object.fromEntries(bytes === null ? others : [...others, [nodeId, bytes] as const]);
    if (bytes !== null) checkSizes(sizes, bytes);
    const sized = set
      ? sets.ops.updateOne(
          { id, revision: set.revision },
          { $set: { sizes }, $inc: { revision: 1 } },
          { required: true },
        )
      : sets.ops.insert({ id, workspaceId, spaceId, sizes, revision: 1 });
    try {
      await store.write([sized, await write()]);
      return;
    } catch (error) {
      if (!isUniqueConflict(error) && !isNotMatched(error)) throw error;
    }
  }
  throw new AppError("conflict");
}

export const updateSample = handle<"workflows.samples.update", Writer>(
  "workflows.samples.update",
  async function (ctx) {
    const { workspaceId, spaceId, id: workflowId, nodeId } = ctx.params;
    await findWorkflow(this.store, ctx.params);
    const given = await givenValue(ctx);
    const all = this.store.tenant(samples, workspaceId);
    const fields = {
      ...given,
      bytes: Buffer.byteLength(JSON.stringify(given.value)),
      updatedBy: callerOf(ctx).userId,
      updatedAt: new Date(),
    };
    let kept: SampleDoc = { id: uuid(), workspaceId, spaceId, workflowId, nodeId, ...fields };
    let before: unknown;
    await change(this.store, ctx.params, fields.bytes, async () => {
      const old = await all.get({ workflowId, nodeId });
      kept = { ...kept, id: old?.id ?? kept.id };
      before = old?.value;
      await holdSample(this, kept);
      return old ? all.ops.updateOne({ id: old.id }, { $set: fields }, { required: true }) : all.ops.insert(kept);
    });
    await releaseSample(this, kept, before);
    return presentSample(kept);
  },
);

export const removeSample = handle<"workflows.samples.remove", Writer>(
  "workflows.samples.remove",
  async function (ctx) {
    const { workspaceId, id: workflowId, nodeId } = ctx.params;
    await findWorkflow(this.store, ctx.params);
    const all = this.store.tenant(samples, workspaceId);
    const old = await all.get({ workflowId, nodeId });
    await change(this.store, ctx.params, null, () => Promise.resolve(all.ops.remove({ workflowId, nodeId })));
    if (old) await releaseSample(this, { id: old.id, workspaceId }, old.value);
    return null;
  },
);

export const existingSamples = handle<"workflows.samples.existing", WithStore>(
  "workflows.samples.existing",
  async function (ctx) {
    const { workspaceId, ids } = ctx.params;
    const all = this.store.tenant(samples, workspaceId);
    const found = await Promise.all(ids.map(id => all.count({ id }, { limit: 1 })));
    return { existing: ids.filter((_, index) => found[index]! > 0) };
  },
);

export const readSamples = handle<"workflows.samples.read", WithStore>("workflows.samples.read", async function (ctx) {
  const { workspaceId, workflowId, nodeIds } = ctx.params;
  const set = await this.store.tenant(sampleSets, workspaceId).get({ id: workflowId });
  const all = this.store.tenant(samples, workspaceId);
  const values: [string, unknown][] = [];
  let bytes = 0;
  for (const nodeId of Object.keys(set?.sizes ?? {})) {
    if (nodeIds && !nodeIds.includes(nodeId)) continue;
    const found = await all.get({ workflowId, nodeId });
    if (!found) continue;
    bytes += found.bytes;
    if (bytes > MAX_READ_BYTES) {
      const detail = "The samples are too large to be seen all together. Name the steps, as in `steps.<id>`.";
      throw new AppError("payload_too_large", { detail });
    }
    values.push([nodeId, found.value]);
  }
  return { values: Object.fromEntries(values) };
});
