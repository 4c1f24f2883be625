import { call, handle } from "../../contracts/call.ts";
import type { Archived } from "../../contracts/entities/archive.ts";
import { wantedCredentials } from "../../core/exchange/credential-references.ts";
import { credentialUses } from "../../core/graph/uses.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { slugsFor, withFreeSlug } from "../../service-kit/slugs.ts";
import { missingInArchive } from "../../service-kit/archive.ts";
import type { Writer } from "./file-holds.ts";
import { withCredentialIdsIn } from "./file-credentials.ts";
import { SLUG_FALLBACK, type VersionDoc, versions, type WorkflowDoc, workflows } from "./model.ts";
import { contentBytes } from "./save-version.ts";
import { offerTool, syncTool } from "./tools.ts";
import { derivedId } from "../../service-kit/derived-id.ts";

interface ImportTarget {
  workspaceId: string;
  userId: string;
}

/** Stores a version. It becomes visible with its workflow, which follows. The importing user becomes its author. */
async function takeVersion(self: Writer, { workspaceId, userId }: ImportTarget, record: Archived<"workflowVersion">) {
  const { workflowId, spaceId, version, name, description, message } = record;
  const { store } = self;
  const all = store.tenant(versions, workspaceId);
  const { definition } = await withCredentialIdsIn(self.broker, workspaceId, record.definition);
  const wanted = wantedCredentials(definition);
  const credentials = wanted.map(one => ({ name: one.name, type: one.type ?? null }));
  // An existing workflow has all its versions. It may have changed since.
  if (await store.tenant(workflows, workspaceId).get({ id: workflowId })) return { made: false, credentials };
  const createdAt = new Date(record.createdAt);
  const doc: VersionDoc = {
    ...{ id: derivedId(createdAt, `${workflowId} ${version}`), workspaceId, spaceId, workflowId, version },
    ...{ name, description, definition, message, bytes: contentBytes({ name, description, definition }) },
    ...{ createdBy: userId, createdAt },
  };
  try {
    await all.insert(doc);
    return { made: true, credentials };
  } catch (error) {
    if (!isUniqueConflict(error)) throw error;
    return { made: false, credentials };
  }
}

async function takeWorkflow({ store }: Writer, { workspaceId, userId }: ImportTarget, record: Archived<"workflow">) {
  const { id, spaceId, status, starred, version, deployedVersion } = record;
  const all = store.tenant(workflows, workspaceId);
  const made = (await all.get({ id })) === null;
  const snapshot = async (number: number) => {
    const found = await store.tenant(versions, workspaceId).get({ workflowId: id, version: number });
    if (!found) throw missingInArchive("version of a workflow");
    return found;
  };
  const newest = await snapshot(version);
  const deployed = deployedVersion === null ? null : await snapshot(deployedVersion);
  const { name, description, definition, bytes } = newest;
  const uses = credentialUses(definition);
  const deployedUses = deployed ? credentialUses(deployed.definition) : [];
  const doc: WorkflowDoc = {
    ...{ id, workspaceId, spaceId, name, description, definition, bytes, status, starred, version, deployedVersion },
    deployedAt: deployed ? new Date(record.deployedAt ?? record.updatedAt) : null,
    ...{ createdBy: userId, createdAt: new Date(record.createdAt), updatedAt: new Date(record.updatedAt) },
    trashedAt: status === "trashed" ? new Date() : null,
    ...(uses.length > 0 && { uses }),
    ...(deployedUses.length > 0 && { deployedUses }),
  };
  const slugs = [...(record.slug === undefined ? [] : [record.slug]), ...slugsFor(name, SLUG_FALLBACK, id)];
  if (made) {
    const insertAs = (slug: string) => all.insert({ ...doc, slug });
    await withFreeSlug(all, spaceId, slugs, insertAs, () => all.get({ id }));
  }
  // An interrupted request may have stored the workflow without its tool.
  const current = await all.get({ id });
  if (deployed && current?.deployedVersion === deployedVersion) {
    const content = { name: deployed.name, description: deployed.description, definition: deployed.definition };
    await offerTool(store, { ...current, ...content, version: deployed.version });
    await syncTool(store, { workspaceId, spaceId, id });
  }
  return { made };
}

export const importRecord = handle<"workflows.takeOver", Writer>("workflows.takeOver", async function (ctx) {
  const { workspaceId, userId, record } = ctx.params;
  const { exists } = await call(ctx, "pods.spaces.exists", { workspaceId, spaceId: record.spaceId });
  if (!exists) throw missingInArchive("space");
  const place = { workspaceId, userId };
  return record.kind === "workflow" ? takeWorkflow(this, place, record) : takeVersion(this, place, record);
});
