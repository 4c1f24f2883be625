import type { Service } from "moleculer";
import type { GuardedConnect } from "../../adapters/net/guarded-connect.ts";
import type { GuardedFetch } from "../../adapters/net/port.ts";
import type { Tokens } from "../../adapters/oauth/token-requests.ts";
import type { Sealer } from "../../adapters/secrets/sealer.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import type { CredentialTransit } from "../../service-kit/credential-transit.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import type { WithOutbox } from "../../service-kit/outbox.mixin.ts";
import type { RenewalTurns } from "../../service-kit/renewal-turns.ts";
import type { Warn } from "../../service-kit/throttled-warn.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { type CredentialDoc, credentials } from "./model.ts";

/** The members of the service that its actions use. */
export interface CredentialsService extends WithStore, WithOutbox, WithHashKey {
  /** Seals the data at rest. */
  sealer: Sealer;
  /** Passes opened credentials to callers. */
  transit: CredentialTransit;
  tokenSealer: Sealer;
  pendingSealer: Sealer;
  net: GuardedFetch;
  /** Connects to servers that speak other protocols than HTTP. */
  connect: GuardedConnect;
  publicUrl: string;
  turns: RenewalTurns;
  /** The current renewals on this node. */
  renewals: Map<string, Promise<StoredTokens>>;
  /** Throttled warnings for repeated failures. */
  warn: Warn;
}

/** The stored tokens. `id` names the access token without showing it. */
export interface StoredTokens extends Tokens {
  id: string;
}

export type Self = Service & CredentialsService;

export type Data = Record<string, unknown>;

/** @throws {AppError} not_found */
export async function findCredential({ store }: WithStore, workspaceId: string, id: string): Promise<CredentialDoc> {
  const doc = await store.tenant(credentials, workspaceId).get({ id });
  if (!doc) throw notFound("credential");
  return doc;
}

/** Caches decrypted data by document object, for as long as the store caches the document. */
const opened = new WeakMap<object, Data>();

/**
 * The data of a credential, which must not be changed.
 * @throws {AppError} credential_unreadable when no known key decrypts it
 */
export function dataOf({ sealer, warn }: Pick<Self, "sealer" | "warn">, doc: Pick<CredentialDoc, "id" | "data">): Data {
  const before = opened.get(doc);
  if (before) return before;
  try {
    const data = Object.freeze(JSON.parse(sealer.open(doc.data, doc.id)) as Data);
    opened.set(doc, data);
    return data;
  } catch (error) {
    warn("The data of a credential cannot be opened.", error);
    throw new AppError("credential_unreadable", {
      detail: "The credential can no longer be decrypted. Enter it again.",
    });
  }
}
