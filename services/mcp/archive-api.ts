import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { v7 as uuid } from "uuid";
import { signsCalls } from "../../adapters/credentials/sign-call.ts";
import { call, handle } from "../../contracts/call.ts";
import { MAX_API_DOCUMENT } from "../../contracts/entities/api.ts";
import { type ArchivedApi, MAX_ARCHIVED_DOCUMENT } from "../../contracts/entities/archived-api.ts";
import { AppError } from "../../contracts/errors.ts";
import { insertRecordOnce } from "../../service-kit/archive.ts";
import { ensureLimit } from "../../service-kit/limit.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { apiDocuments, type ServerDoc, servers } from "./model.ts";
import { aliveApi, IS_API, type Self } from "./service.ts";

type Name = NonNullable<ArchivedApi["credential"]>;

const compress = promisify(gzip);
const uncompress = promisify(gunzip);

/** Exports an API without secrets. Its credentials appear by name only. */
export const archiveApi = handle<"mcp.apis.archive", Self>("mcp.apis.archive", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  const {
    name,
    url,
    baseUrl = null,
    agents,
    credentialId,
    credentials,
    createdAt,
  } = await aliveApi(this, workspaceId, id);
  const uploaded = url === "" ? await this.store.tenant(apiDocuments, workspaceId).get({ id }) : null;
  const packed = uploaded && (await compress(uploaded.text)).toString("base64");
  const schemes = Object.entries(credentials ?? {});
  const ids = [...new Set([...schemes.map(([, named]) => named), ...(credentialId ? [credentialId] : [])])];
  const found = ids.length > 0 ? (await call(ctx, "credentials.named", { workspaceId, ids })).credentials : [];
  const names = new Map(found.map(one => [one.id, { name: one.name, type: one.type }]));
  return {
    ...{ kind: "api" as const, id, name, url: url || null, baseUrl, agents: agents ?? false },
    document: packed && packed.length <= MAX_ARCHIVED_DOCUMENT ? packed : null,
    credential: (credentialId && names.get(credentialId)) || null,
    credentials: Object.fromEntries(
      schemes.flatMap(([scheme, one]) => (names.has(one) ? [[scheme, names.get(one)!]] : [])),
    ),
    createdAt: createdAt.toISOString(),
  };
});

/** @throws {AppError} validation_failed */
async function textOf(document: string): Promise<string> {
  try {
    const bytes = await uncompress(Buffer.from(document, "base64"), { maxOutputLength: MAX_API_DOCUMENT });
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const detail = "The document of the API is not compressed text, or it is too large.";
    throw new AppError("validation_failed", { detail });
  }
}

/** The credentials of the workspace that match the names, and the names without a match. */
async function bound(ctx: { call: unknown }, workspaceId: string, { credential, credentials }: ArchivedApi) {
  const wanted = [...Object.values(credentials), ...(credential ? [credential] : [])];
  const names = [...new Set(wanted.map(({ name }) => name))];
  const here = names.length > 0 ? (await call(ctx, "credentials.named", { workspaceId, names })).credentials : [];
  const idOf = ({ name, type }: Name) =>
    here.find(one => one.name === name && one.type === type && signsCalls(one.type) && !one.spaceIds)?.id;
  return {
    credentialId: credential ? idOf(credential) : undefined,
    credentials: Object.fromEntries(
      Object.entries(credentials).flatMap(([scheme, one]) => {
        const id = idOf(one);
        return id === undefined ? [] : [[scheme, id]];
      }),
    ),
    missing: wanted.filter(one => idOf(one) === undefined),
  };
}

/**
 * The operations get the ids that the workflows of the archive refer to, because the ids are derived from the API's id
 * and time.
 */
export const importApiRecord = handle<"mcp.apis.takeOver", Self>("mcp.apis.takeOver", async function (ctx) {
  const { workspaceId, userId, record } = ctx.params;
  const { id, name, url, baseUrl, agents, createdAt } = record;
  const { credentialId, credentials, missing } = await bound(ctx, workspaceId, record);
  const all = this.store.tenant(servers, workspaceId);
  if (await all.get({ id, ...ALIVE })) return { made: false, credentials: missing };
  await ensureLimit("mcp_servers", workspaceId, all, { ...ALIVE });
  const text = record.document === null ? null : await textOf(record.document);
  const now = new Date();
  const server: ServerDoc = {
    ...{ id, workspaceId, name, ...IS_API, url: url ?? "", authType: "none", agents },
    ...(credentialId !== undefined && { credentialId }),
    ...{ baseUrl, credentials, revision: uuid(), version: 1 },
    ...{ status: "unknown", syncAt: now, failures: 0, toolCount: 0, droppedTools: [], newsCount: 0, news: [] },
    ...{ createdBy: userId, createdAt: new Date(createdAt), updatedAt: now },
  };
  const documents = this.store.tenant(apiDocuments, workspaceId);
  const uploaded =
    text === null || url !== null ? [] : [documents.ops.insert({ id, workspaceId, text, createdAt: now })];
  const made = await insertRecordOnce(
    () => this.store.write([...uploaded, all.ops.insert(server)]),
    () => all.get({ id, ...ALIVE }),
  );
  if (made) this.syncs.start(server);
  return { made, credentials: missing };
});
