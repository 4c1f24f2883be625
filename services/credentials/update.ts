import type { ParamsOf } from "../../contracts/actions.ts";
import { handle, hint, roleOf } from "../../contracts/call.ts";
import { CREDENTIAL_TYPES } from "../../contracts/credentials/types.ts";
import { AppError } from "../../contracts/errors.ts";
import { isUniqueConflict } from "../../adapters/store/errors.ts";
import { nameTaken } from "./credentials.ts";
import { checkedData, checkedHosts, dataNeeded, ensureSpaces, ensureUsable } from "./check-input.ts";
import { type CredentialDoc, credentials } from "./model.ts";
import { findCredential, type Self } from "./service.ts";
import { initialStatus } from "./initial-status.ts";
import { presentOne } from "./uses.ts";

/** Each failed attempt means that another request changed the credential. */
const MAX_ATTEMPTS = 20;

const isSameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every(one => b.includes(one));

type Change = Pick<ParamsOf<"credentials.update">, "type" | "hosts" | "data">;

/**
 * Refuses a change of the hosts or the type without the secret values.
 * @throws {AppError} validation_failed
 */
function checkChange(old: CredentialDoc, { type = old.type, hosts, data }: Change): void {
  const moves = type !== old.type || (hosts !== undefined && !isSameSet(hosts, old.hosts));
  if (moves && data === undefined) throw dataNeeded();
}

/** The fields that depend on the previous data. A change of the data removes them. */
const FORGOTTEN = {
  lastError: true,
  tokens: true,
  renews: true,
  tokenId: true,
  tokenLifeMs: true,
  retryAt: true,
  renewer: true,
  renewUntil: true,
  pending: true,
  pendingId: true,
} as const;

/** The hosts that stay with new data. Hosts that are derived from the data change with it. */
const keptHosts = (old: CredentialDoc, type: CredentialDoc["type"]) =>
  type === old.type && CREDENTIAL_TYPES[type].hosts === "given" ? old.hosts : undefined;

export const update = handle<"credentials.update", Self>("credentials.update", async function (ctx) {
  const { workspaceId, id, name, spaceIds } = ctx.params;
  const all = this.store.tenant(credentials, workspaceId);
  if (spaceIds !== undefined) await ensureSpaces(ctx, workspaceId, spaceIds);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const old = await findCredential(this, workspaceId, id);
    checkChange(old, ctx.params);
    const { type = old.type } = ctx.params;
    const data = ctx.params.data === undefined ? undefined : checkedData(type, ctx.params.data);
    if (data) await ensureUsable(type, data);
    const start = data && initialStatus(type, data);
    const hosts = data && checkedHosts(type, data, ctx.params.hosts ?? keptHosts(old, type), roleOf(ctx));
    try {
      const doc = await all.updateOne(
        { id, revision: old.revision },
        {
          $set: {
            ...(name !== undefined && { name }),
            ...(spaceIds !== undefined && { spaceIds }),
            ...(data && {
              ...{ type, hosts, fields: Object.keys(data), data: this.sealer.seal(JSON.stringify(data), id) },
              ...start,
            }),
            updatedAt: new Date(),
          },
          ...(start && {
            $inc: { revision: 1 },
            $unset: start.expiresAt ? FORGOTTEN : { ...FORGOTTEN, expiresAt: true },
          }),
        },
      );
      if (doc) {
        hint(this.broker, "all", "credential.changed", { workspaceId, id });
        return await presentOne(ctx, doc);
      }
    } catch (error) {
      throw isUniqueConflict(error) && name !== undefined ? nameTaken(name) : error;
    }
  }
  throw new AppError("conflict");
});
