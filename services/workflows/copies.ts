import { call, callerOf, handle } from "../../contracts/call.ts";
import { DOCUMENT_FORMAT, DOCUMENT_VERSION } from "../../contracts/entities/workflow-document.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { checkDefinition, errorsIn } from "../../core/graph/check-definition.ts";
import { newId } from "../../service-kit/new-id.ts";
import { markForNotice } from "../../service-kit/outbox.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import type { Writer } from "./file-holds.ts";
import { findWorkflow } from "./find-workflow.ts";
import { withCredentialIdsIn, withCredentialNamesFor } from "./file-credentials.ts";
import { knownNames } from "./known-names.ts";
import { insertWorkflow } from "./insert-workflow.ts";

const COPY = " (copy)";
const MAX_NAME = 200;
/** Loaded at the first import, because it includes all node types of n8n. */
const reader = () => import("../../core/exchange/document.ts");

export const duplicate = handle<"workflows.duplicate", Writer>("workflows.duplicate", async function (ctx) {
  const { workspaceId, fromSpaceId, spaceId = fromSpaceId, id, name } = ctx.params;
  for (const one of new Set([fromSpaceId, spaceId])) {
    const { exists } = await call(ctx, "pods.spaces.exists", { workspaceId, spaceId: one });
    if (!exists) throw notFound("space");
  }
  const original = await findWorkflow(this.store, { workspaceId, spaceId: fromSpaceId, id });
  const { description, definition } = original;
  const content = { name: name ?? original.name.slice(0, MAX_NAME - COPY.length) + COPY, description, definition };
  return insertWorkflow(this, { workspaceId, spaceId, id: newId(ctx) }, content, callerOf(ctx).userId);
});

export const exportOne = handle<"workflows.export", WithStore>("workflows.export", async function (ctx) {
  const { name, description, definition } = await findWorkflow(this.store, ctx.params);
  const file = { format: DOCUMENT_FORMAT, version: DOCUMENT_VERSION, name, description } as const;
  return { ...file, definition: await withCredentialNamesFor(ctx, ctx.params.workspaceId, definition) };
});

export const check = handle<"workflows.check">("workflows.check", async ctx => {
  const { readDocument } = await reader();
  const read = readDocument(ctx.params.document);
  if (read.faults) throw new AppError("validation_failed", { errors: read.faults });
  const { definition, warnings } = await withCredentialIdsIn(ctx, ctx.params.workspaceId, read.content.definition);
  const faults = checkDefinition(definition, await knownNames(ctx, ctx.params, definition));
  const checked = { valid: errorsIn(faults).length === 0, faults, warnings: [...read.warnings, ...warnings] };
  return read.converted ? { ...checked, definition } : checked;
});

export const importOne = handle<"workflows.import", Writer & WithOutbox>("workflows.import", async function (ctx) {
  const { readDocument } = await reader();
  const read = readDocument(ctx.params.document);
  if (read.faults) throw new AppError("validation_failed", { errors: read.faults });
  const { definition, warnings: unbound } = await withCredentialIdsIn(
    ctx,
    ctx.params.workspaceId,
    read.content.definition,
  );
  const warnings = [...read.warnings, ...unbound];
  const workflow = await insertWorkflow(
    this,
    { ...ctx.params, id: newId(ctx) },
    { ...read.content, definition },
    callerOf(ctx).userId,
    { importWarnings: warnings.length, ...markForNotice(new Date()) },
  );
  this.outbox.soon();
  return { ...workflow, warnings };
});
