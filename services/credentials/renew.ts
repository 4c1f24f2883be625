import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuid } from "uuid";
import { REQUEST_MS } from "../../adapters/oauth/library-fetch.ts";
import { TokenError, type Tokens } from "../../adapters/oauth/token-requests.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { markForNotice } from "../../service-kit/outbox.ts";
import { type CredentialDoc, credentials } from "./model.ts";
import type { Self, StoredTokens } from "./service.ts";
import { isAlive, isFresh, needsAuthorization, requestTokens, tokensOf } from "./request-tokens.ts";

/**
 * Longer than two requests and the write that stores the tokens. If a node dies meanwhile, others wait for this time.
 */
export const HOLD_MS = 2 * REQUEST_MS + 5_000;
/** A little longer than the turn of another node, to take over if that node has died. */
const WAIT_MS = HOLD_MS + 1_000;
const LOOK_MS = 50;
/** After a failure, the next request waits for this time. Meanwhile, a token that is still valid is used. */
const PAUSE_MS = 30_000;
/** How often storing new tokens is retried. They may contain the only refresh token. */
const STORE_ATTEMPTS = 20;
const STORE_PAUSE_MS = 500;

type Ref = Pick<CredentialDoc, "id" | "workspaceId">;

const lifeOf = ({ tokenLifeMs }: CredentialDoc) => tokenLifeMs ?? Infinity;
const unavailable = (detail: string) => new AppError("unavailable", { detail });

/** The stored token, if it can still be used; undefined if a new one has to be requested. */
function heldToken(self: Self, doc: CredentialDoc, refused: string | undefined): StoredTokens | undefined {
  const held = tokensOf(self, doc);
  const now = Date.now();
  const usable = held && held.id !== refused && isAlive(held, now) ? held : undefined;
  if (usable && isFresh(usable, lifeOf(doc), now)) return usable;
  if (doc.status === "needs_authorization") throw needsAuthorization(doc);
  if ((doc.retryAt?.getTime() ?? 0) <= now) return undefined;
  if (usable) return usable;
  if (doc.status === "error") throw needsAuthorization(doc);
  throw unavailable(doc.lastError ?? "The authorization server gave no token. Try again.");
}

/** The fields that store tokens. Writing them ends a renewal, also one that another node began. */
export function tokenFields(self: Self, id: string, tokens: Tokens) {
  const stored: StoredTokens = { ...tokens, id: uuid() };
  const now = new Date();
  const { expiresAt } = tokens;
  return {
    stored,
    change: {
      $set: {
        tokens: self.tokenSealer.seal(JSON.stringify(stored), id),
        tokenId: stored.id,
        status: "ready" as const,
        renews: tokens.refreshToken !== undefined,
        ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt), tokenLifeMs: expiresAt - now.getTime() }),
      },
      $unset: {
        ...{ lastError: true as const, retryAt: true as const, renewer: true as const, renewUntil: true as const },
        ...(expiresAt === undefined && { expiresAt: true as const, tokenLifeMs: true as const }),
      },
    },
  };
}

/** Stores new tokens, unless the data was changed meanwhile. Retries while the store fails. */
async function keep(self: Self, doc: CredentialDoc, tokens: Tokens): Promise<StoredTokens> {
  const all = self.store.tenant(credentials, doc.workspaceId);
  const { stored, change } = tokenFields(self, doc.id, tokens);
  for (let attempt = 1; ; attempt++) {
    try {
      const { id, revision, tokenId = null } = doc;
      const kept = await all.updateOne({ id, revision, tokenId }, change);
      if (kept) return stored;
      throw unavailable("The credential was changed meanwhile. Try again.");
    } catch (error) {
      if (error instanceof AppError || attempt >= STORE_ATTEMPTS) throw error;
      self.warn("New tokens of a credential could not be stored; Weft tries again.", error);
      await sleep(STORE_PAUSE_MS, undefined, { ref: false });
    }
  }
}

/** Records that no token was obtained. Editors are notified once of a permanent failure. */
async function fail(self: Self, doc: CredentialDoc, renewer: string, { message, final }: TokenError): Promise<never> {
  const now = new Date();
  const status = doc.type === "oauth2_code" ? ("needs_authorization" as const) : ("error" as const);
  const tells = final && doc.status === "ready";
  const change = {
    $set: {
      lastError: message,
      retryAt: new Date(now.getTime() + PAUSE_MS),
      ...(final && { status }),
      ...(tells && markForNotice(now)),
    },
    ...(tells && { $inc: { failures: 1 } }),
    $unset: { renewer: true as const, renewUntil: true as const },
  };
  await self.store
    .tenant(credentials, doc.workspaceId)
    .updateOne({ id: doc.id, revision: doc.revision, renewer }, change);
  if (tells) self.outbox.soon();
  throw final ? needsAuthorization({ ...doc, lastError: message }) : unavailable(message);
}

/**
 * Requests tokens and stores them before they are used. If a response is lost, the same request is repeated once, at
 * once. Servers that rotate refresh tokens accept the previous one again for a moment, for exactly this case.
 */
async function renewNow(self: Self, doc: CredentialDoc, renewer: string): Promise<StoredTokens> {
  const held = tokensOf(self, doc);
  let tokens: Tokens;
  try {
    tokens = await requestTokens(self, doc, held).catch((error: unknown) => {
      if (!(error instanceof TokenError) || error.final) throw error;
      return requestTokens(self, doc, held);
    });
  } catch (error) {
    if (error instanceof TokenError) return fail(self, doc, renewer, error);
    throw error;
  }
  return keep(self, doc, tokens);
}

/** Waits for this node's turn, and renews unless another node has done so meanwhile. */
async function renewAlone(self: Self, { id, workspaceId }: Ref, refused: string | undefined): Promise<StoredTokens> {
  const all = self.store.tenant(credentials, workspaceId);
  const hasEnded = self.turns.watch();
  const until = performance.now() + WAIT_MS;
  do {
    const doc = await all.get({ id });
    if (!doc) throw notFound("credential");
    const held = heldToken(self, doc, refused);
    if (held) return held;
    const { revision, tokenId = null, renewer = null } = doc;
    if (hasEnded(doc)) {
      const turn = self.turns.begin();
      try {
        const taken = await all.updateOne({ id, revision, tokenId, renewer }, { $set: turn });
        if (taken) return await renewNow(self, taken, turn.renewer);
      } finally {
        self.turns.end(turn);
      }
    }
    await sleep(LOOK_MS, undefined, { ref: false });
  } while (performance.now() < until);
  throw unavailable("Another node renews the token for too long. Try again.");
}

/**
 * An access token that is valid now. `refused` is the id of a token that the called service refused.
 * @throws {AppError} credential_needs_authorization, credential_unreadable, unavailable, not_found
 */
export async function tokenOf(
  self: Self,
  doc: Readonly<CredentialDoc>,
  refused: string | undefined,
): Promise<StoredTokens> {
  const held = heldToken(self, doc, refused);
  if (held) return held;
  // Steps that ask at the same time share one renewal.
  const key = `${doc.id} ${refused ?? ""}`;
  const shared = self.renewals.get(key) ?? renewAlone(self, doc, refused).finally(() => self.renewals.delete(key));
  self.renewals.set(key, shared);
  return shared;
}
