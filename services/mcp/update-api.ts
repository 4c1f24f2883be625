import { v7 as uuid } from "uuid";
import { handle } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { checkApiCredentials } from "./api-credentials.ts";
import { givenDocument, keepDocument } from "./api-document.ts";
import { presentApi, servers } from "./model.ts";
import { aliveApi, type Self } from "./service.ts";
import { reindexServer } from "./update.ts";

/** Each failed attempt means that another request, or a sync, changed the API. */
const MAX_ATTEMPTS = 20;

export const updateApi = handle<"mcp.apis.update", Self>("mcp.apis.update", async function (ctx) {
  const { workspaceId, id, name, agents, baseUrl, credentialId, credentials } = ctx.params;
  await aliveApi(this, workspaceId, id);
  const document = await givenDocument(this, workspaceId, ctx.params);
  await checkApiCredentials(ctx, workspaceId, { credentialId, credentials });
  if (document && "text" in document) await keepDocument(this, workspaceId, id, document.text);
  const all = this.store.tenant(servers, workspaceId);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const old = await aliveApi(this, workspaceId, id);
    const now = new Date();
    const url = document && ("url" in document ? document.url : "");
    const free = old.syncHolder ? {} : { syncAt: now };
    const api = await all.updateOne(
      { id, version: old.version, ...ALIVE },
      {
        $set: {
          ...(name !== undefined && { name }),
          ...(agents !== undefined && { agents }),
          ...(baseUrl !== undefined && { baseUrl }),
          ...(credentials !== undefined && { credentials }),
          ...(typeof credentialId === "string" && { credentialId }),
          ...(url !== null && { url, revision: uuid(), ...free }),
          updatedAt: now,
        },
        ...(credentialId === null && { $unset: { credentialId: true } }),
        $inc: { version: 1 },
      },
    );
    if (!api) continue;
    if (api.name !== old.name) await reindexServer(this, api);
    if (url !== null) this.syncs.start(api);
    return presentApi(api);
  }
  throw new AppError("conflict");
});
