import { type ActionContext, call, callerOf, handle } from "../../contracts/call.ts";
import { VERSION } from "../../config.ts";
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, type ArchiveRecord } from "../../contracts/entities/archive.ts";
import { principalOf } from "../../contracts/entities/user.ts";
import { AppError, errorCode, ERRORS, type ErrorData, notFound } from "../../contracts/errors.ts";
import { type Ids, withIds } from "../../core/exchange/archive-ids.ts";
import { timeOfId } from "../../core/id-time.ts";
import { derivedId, toolIdOf } from "../../service-kit/derived-id.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { workspaces } from "./model.ts";

/** An export is audited although it changes nothing, because it reads all data of the workspace. */
export const exportHead = handle<"workspaces.export", WithStore>("workspaces.export", async function (ctx) {
  const { workspaceId, address, requestId } = ctx.params;
  const workspace = await this.store.global(workspaces).get({ id: workspaceId, ...ALIVE });
  if (!workspace) throw notFound("workspace");
  const identity = callerOf(ctx);
  await call(ctx, "audit.record", {
    ...{ workspaceId, actor: { kind: identity.kind, id: principalOf(identity), userId: identity.userId } },
    ...{ action: "workspaces.export", resourceType: "workspace", resourceId: workspaceId, spaceId: null, fields: [] },
    ...{ requestId, address, outcome: "succeeded", error: null },
  });
  const { id, name, slug } = workspace;
  const made = { weft: VERSION, exportedAt: new Date().toISOString(), workspace: { id, name, slug } };
  return { kind: "archive", format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, ...made };
});

/**
 * Maps the ids of an archive to ids in this workspace. The mapping is deterministic and keeps the order of time. So a
 * repeated import finds what it created, and no id of an archive refers to another workspace.
 */
function idsFor(workspaceId: string, archived: string): Ids {
  const of = (id: string) => derivedId(timeOfId(id), `${workspaceId} ${id}`);
  return { of, ofSpace: id => (id === archived ? workspaceId : of(id)), ofTool: toolIdOf };
}

type Importing = ActionContext<"workspaces.import">;

async function importRecord(ctx: Importing, record: ArchiveRecord) {
  const { workspaceId } = ctx.params;
  const { userId } = callerOf(ctx);
  switch (record.kind) {
    case "credential":
    case "member":
      return undefined;
    case "variables": {
      const { spaceId, values: set } = record;
      if (spaceId === null) await call(ctx, "variables.update", { workspaceId, set });
      else await call(ctx, "variables.ofSpace.update", { workspaceId, spaceId, set });
      return { made: true };
    }
    case "pod":
    case "space":
      return call(ctx, "pods.takeOver", { workspaceId, record });
    case "mcpServer":
      return call(ctx, "mcp.takeOver", { workspaceId, userId, record });
    case "api":
      return call(ctx, "mcp.apis.takeOver", { workspaceId, userId, record });
    case "knowledgeBase":
    case "knowledgeEntry":
      return call(ctx, "knowledge.takeOver", { workspaceId, record });
    case "workflowVersion":
    case "workflow":
      return call(ctx, "workflows.takeOver", { workspaceId, userId, record });
    case "schedule":
      return call(ctx, "schedules.takeOver", { workspaceId, userId, record });
    case "webhook":
      return call(ctx, "webhooks.takeOver", { workspaceId, userId, record });
    case "memory":
      return call(ctx, "memory.takeOver", { workspaceId, userId, record });
  }
}

/** The error of a record, with the place of the record in the request. */
function atRecord(error: unknown, place: number): unknown {
  const code = errorCode(error);
  if (code === undefined || ERRORS[code].status >= 500) return error;
  const { data = {}, message } = error as { data?: ErrorData; message: string };
  const errors = [{ path: `/records/${place}`, message: data.detail ?? message }];
  return new AppError(code, { ...data, errors: data.errors ?? errors });
}

export const importRecords = handle<"workspaces.import", WithStore>("workspaces.import", async function (ctx) {
  const { workspaceId, archive, records } = ctx.params;
  const ids = idsFor(workspaceId, archive.workspaceId);
  const credentials = new Map<string, { name: string; type: string | null }>();
  let [made, existing] = [0, 0];
  for (const [place, record] of records.entries()) {
    // Records are imported one after another, because a record may refer to earlier ones.
    const taken = await importRecord(ctx, withIds(record, ids)).catch((error: unknown) => {
      throw atRecord(error, place);
    });
    if (taken?.made) made++;
    else if (taken) existing++;
    for (const one of taken?.credentials ?? []) credentials.set(`${one.type} ${one.name}`, one);
  }
  return { made, existing, credentials: [...credentials.values()] };
});
