import { call, callerOf, handle } from "../../contracts/call.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import type { ParamsOf } from "../../contracts/actions.ts";
import type { Schedule } from "../../contracts/entities/schedule.ts";
import type { Page } from "../../contracts/primitives.ts";
import { withNames } from "../../service-kit/names.ts";
import { boundedPage } from "../../service-kit/bounded-page.ts";
import { ensureLimit, usedOfFullestSpace } from "../../service-kit/limit.ts";
import { newId } from "../../service-kit/new-id.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { changeRevised, NEXT_REVISION, removeRevised, unchanged } from "../../service-kit/revisions.ts";
import { slugsOf, withFreeSlug } from "../../service-kit/slugs.ts";
import { starterOf } from "../../service-kit/starter-of.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { presentSchedule, type ScheduleDoc, schedules } from "./model.ts";
import { restingReasons } from "./resting.ts";
import { SLUG_FALLBACK, withSlugs, workflowNames } from "./slugs.ts";
import { dueAfter, nextDueFields } from "./timing.ts";

type Ref = Pick<ScheduleDoc, "workspaceId" | "spaceId" | "id">;

/** Each schedule stores its input, and each list of schedules reads it. */
const MAX_INPUT_BYTES = 65_536;

/** The size of an input. @throws {AppError} payload_too_large */
export function bytesOf(input: unknown): number {
  const bytes = Buffer.byteLength(JSON.stringify(input));
  if (bytes > MAX_INPUT_BYTES) {
    throw new AppError("payload_too_large", {
      detail: `The input of a schedule is limited to ${MAX_INPUT_BYTES} bytes.`,
    });
  }
  return bytes;
}

export const create = handle<"schedules.create", WithStore>("schedules.create", async function (ctx) {
  const { workspaceId, spaceId, workflowId, slug: asked, cronExpr, timezone, input, enabled } = ctx.params;
  const now = new Date();
  const due = nextDueFields({ cronExpr, timezone }, now);
  const bytes = bytesOf(input);
  const all = this.store.tenant(schedules, workspaceId);
  await ensureLimit("schedules", spaceId, all, { spaceId });
  await call(ctx, "workflows.runnable", { workspaceId, spaceId, workflowId });
  const schedule: ScheduleDoc = {
    id: newId(ctx),
    ...{ workspaceId, spaceId, workflowId, cronExpr, timezone, input, bytes, enabled },
    ...(enabled && due),
    createdBy: callerOf(ctx).userId,
    createdAt: now,
    updatedAt: now,
  };
  const [name] = asked === undefined ? await workflowNames(ctx, [schedule]) : [];
  const made = await withFreeSlug(
    all,
    spaceId,
    slugsOf(asked, name ?? "", SLUG_FALLBACK, schedule.id),
    slug => all.insert({ ...schedule, slug }),
    () => all.get({ id: schedule.id, spaceId }),
  );
  return presentSchedule(made, null);
});

async function findSchedule({ store }: WithStore, { workspaceId, spaceId, id }: Ref): Promise<ScheduleDoc> {
  const doc = await store.tenant(schedules, workspaceId).get({ id, spaceId });
  if (!doc) throw notFound("schedule");
  return doc;
}

export const read = handle<"schedules.read", WithStore>("schedules.read", async function (ctx) {
  const all = this.store.tenant(schedules, ctx.params.workspaceId);
  const [doc] = (await withSlugs(ctx, all, [await findSchedule(this, ctx.params)])) as [ScheduleDoc];
  return presentSchedule(doc, (await restingReasons(ctx, [doc]))(doc));
});

/** @throws {AppError} validation_failed */
function nextTimes({ count, ...times }: ParamsOf<"schedules.preview">): string[] {
  const found = [nextDueFields(times, new Date()).nextRunAt];
  while (found.length < count) {
    const next = dueAfter(times, found.at(-1)!.getTime());
    if (next === null) break;
    found.push(new Date(next));
  }
  return found.map(time => time.toISOString());
}

export const preview = handle<"schedules.preview", WithStore>(
  "schedules.preview",
  ctx => new Promise(resolve => resolve({ times: nextTimes(ctx.params) })),
);

export const run = handle<"schedules.run", WithStore>("schedules.run", async function (ctx) {
  const { workspaceId, spaceId, workflowId, id, input = null } = await findSchedule(this, ctx.params);
  const { execution } = await call(ctx, "executions.launch", {
    id: newId(ctx),
    ...{ workspaceId, spaceId, workflowId, input },
    ...starterOf(ctx),
    version: "deployed",
    trigger: { type: "schedule", id },
    context: { dueAt: new Date().toISOString() },
  });
  return execution;
});

type Asked = ParamsOf<"schedules.listAll">;

async function pageOf({ store }: WithStore, ctx: { call: unknown }, asked: Asked): Promise<Page<Schedule>> {
  const { workspaceId, limit, cursor = null, spaceId, workflowId } = asked;
  const filter = { ...(spaceId !== undefined && { spaceId }), ...(workflowId !== undefined && { workflowId }) };
  const all = store.tenant(schedules, workspaceId);
  const find = (max: number, after: string | null) => all.find(filter, { sort: { id: -1 }, limit: max, after });
  const { items, next } = await boundedPage(find, limit, cursor);
  const reasonOf = await restingReasons(ctx, items);
  const docs = await withSlugs(ctx, all, items);
  const presented = docs.map(doc => presentSchedule(doc, reasonOf(doc)));
  return { items: await withNames(ctx, workspaceId, presented), next };
}

export const list = handle<"schedules.list", WithStore>("schedules.list", function (ctx) {
  return pageOf(this, ctx, ctx.params);
});

export const listAll = handle<"schedules.listAll", WithStore>("schedules.listAll", function (ctx) {
  return pageOf(this, ctx, ctx.params);
});

export const update = handle<"schedules.update", WithStore>("schedules.update", async function (ctx) {
  const { workspaceId, input, ifMatch } = ctx.params;
  const all = this.store.tenant(schedules, workspaceId);
  const updated = await changeRevised(
    () => findSchedule(this, ctx.params),
    ifMatch,
    old => {
      const { cronExpr = old.cronExpr, timezone = old.timezone, enabled = old.enabled } = ctx.params;
      const now = new Date();
      const due = nextDueFields({ cronExpr, timezone }, now);
      // A due schedule remains due unless its time changes.
      const retimed = cronExpr !== old.cronExpr || timezone !== old.timezone || enabled !== old.enabled;
      // Nodes of earlier versions do not count changes, so the fields that matter are compared as well.
      const read = { cronExpr: old.cronExpr, timezone: old.timezone ?? null, enabled: old.enabled };
      return all.updateOne(
        { ...unchanged(old), ...read },
        {
          $set: {
            ...{ cronExpr, enabled, updatedAt: now },
            ...(timezone !== undefined && { timezone }),
            ...(input !== undefined && { input, bytes: bytesOf(input) }),
            ...(retimed && enabled && due),
          },
          $inc: NEXT_REVISION,
          ...(!enabled && { $unset: { nextRunAt: 1, countedFrom: 1 } }),
        },
      );
    },
  );
  return presentSchedule(updated, (await restingReasons(ctx, [updated]))(updated));
});

export const remove = handle<"schedules.remove", WithStore>("schedules.remove", async function (ctx) {
  const { workspaceId, ifMatch } = ctx.params;
  await removeRevised(this.store.tenant(schedules, workspaceId), () => findSchedule(this, ctx.params), ifMatch);
  return null;
});

export const purge = handle<"schedules.purge", WithStore>("schedules.purge", async function (ctx) {
  const { workspaceId, ...filter } = ctx.params;
  await removeAll(this.store.tenant(schedules, workspaceId), filter);
  return null;
});

export const usage = handle<"schedules.usage", WithStore>("schedules.usage", async function (ctx) {
  return { schedules: await usedOfFullestSpace(this.store.tenant(schedules, ctx.params.workspaceId)) };
});
