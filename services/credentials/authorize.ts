import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { authorizeUrl, newVerifier, tokensByCallback } from "../../adapters/oauth/authorization.ts";
import { isSecureEndpoint, TokenError } from "../../adapters/oauth/token-requests.ts";
import { call, callerOf, handle } from "../../contracts/call.ts";
import type { CredentialData } from "../../contracts/credentials/types.ts";
import { AppError } from "../../contracts/errors.ts";
import { includesRole } from "../../core/roles.ts";
import { keyedHash } from "../../service-kit/keyed-hash.ts";
import { type CredentialDoc, credentials } from "./model.ts";
import { tokenFields } from "./renew.ts";
import { withoutSecrets } from "./request-tokens.ts";
import { dataOf, findCredential, type Self } from "./service.ts";

/** An authorization that a person has begun and not completed. */
interface Pending {
  verifier: string;
  userId: string;
  revision: number;
  until: number;
}

const PENDING_MS = 600_000;
const NONCE_BYTES = 32;

const nonce = () => randomBytes(NONCE_BYTES).toString("base64url");
const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url");
const isSame = (a: string, b: string) => timingSafeEqual(Buffer.from(hashOf(a)), Buffer.from(hashOf(b)));
const redirectUri = ({ publicUrl }: Self) => `${publicUrl}/v1/oauth/callback`;
const refused = (detail: string) => new AppError("authorization_refused", { detail });

const signature = ({ hashKey }: Self, body: string) => keyedHash(hashKey, "oauth state", body).toString("base64url");

/** The state identifies the credential and one authorization of it, for the browser that began it. */
function stateOf(
  self: Self,
  { workspaceId, id }: Pick<CredentialDoc, "workspaceId" | "id">,
  pendingId: string,
): string {
  const body = [workspaceId, id, pendingId].join("~");
  return `${body}~${signature(self, body)}`;
}

function readState(self: Self, state: string) {
  const [workspaceId = "", id = "", pendingId = "", signed = ""] = state.split("~");
  if (!isSame(signed, signature(self, [workspaceId, id, pendingId].join("~"))))
    throw refused("The state of the callback was not made by this service.");
  return { workspaceId, id, pendingId };
}

export const authorize = handle<"credentials.authorize", Self>("credentials.authorize", async function (ctx) {
  const { workspaceId, id } = ctx.params;
  const { userId } = callerOf(ctx);
  const doc = await findCredential(this, workspaceId, id);
  if (doc.type !== "oauth2_code") {
    const message = `A person authorizes credentials of the type oauth2_code. This one has the type ${doc.type}.`;
    throw new AppError("validation_failed", { errors: [{ path: "/id", message }] });
  }
  const data = dataOf(this, doc) as CredentialData<"oauth2_code">;
  if (!isSecureEndpoint(data.authorizeUrl)) throw refused("The authorization endpoint is not an https address.");
  const [verifier, token] = [newVerifier(), nonce()];
  const pending: Pending = { verifier, userId, revision: doc.revision, until: Date.now() + PENDING_MS };
  // The browser keeps the token, so only the browser that began the authorization can complete it.
  const pendingId = hashOf(token);
  const sealed = this.pendingSealer.seal(JSON.stringify(pending), id);
  const all = this.store.tenant(credentials, workspaceId);
  // Any `lastError` that exists later comes from this authorization.
  const forgets = doc.status !== "ready" && { $unset: { lastError: true as const } };
  const change = { $set: { pending: sealed, pendingId }, ...forgets };
  if (!(await all.updateOne({ id, revision: doc.revision }, change))) throw new AppError("conflict");
  ctx.meta.authorization = { token, seconds: PENDING_MS / 1_000 };
  const url = await authorizeUrl(data, stateOf(this, doc, pendingId), verifier, redirectUri(this));
  return { authorizeUrl: url };
});

/** Takes the pending authorization of a credential. It can be taken once. */
async function takePending(self: Self, { workspaceId, id, pendingId }: ReturnType<typeof readState>) {
  const all = self.store.tenant(credentials, workspaceId);
  const doc = await all.get({ id, pendingId });
  const change = { $unset: { pending: true as const, pendingId: true as const } };
  const taken = doc?.pending && (await all.updateOne({ id, pendingId }, change)) ? doc : null;
  if (!taken?.pending) throw refused("This authorization was already used, or another one was begun since.");
  const pending = JSON.parse(self.pendingSealer.open(taken.pending, id)) as Pending;
  if (pending.until < Date.now()) throw refused("The authorization took longer than ten minutes. Begin it again.");
  if (pending.revision !== taken.revision) throw refused("The credential was changed meanwhile. Begin again.");
  return { doc: taken, pending };
}

export const callback = handle<"credentials.callback", Self>(
  "credentials.callback",
  async function (ctx) {
    const parameters = new URLSearchParams(ctx.params.query);
    const state = parameters.get("state") ?? "";
    const named = readState(this, state);
    if (!isSame(hashOf(ctx.params.token), named.pendingId))
      throw refused("The authorization was begun in another browser, or more than ten minutes ago.");
    const { doc, pending } = await takePending(this, named);
    const { workspaceId, id, revision } = doc;
    const { role } = await call(ctx, "workspaces.roleOf", { workspaceId, userId: pending.userId });
    if (!role || !includesRole(role, "editor")) throw refused("Your role no longer allows this.");
    const data = dataOf(this, doc) as CredentialData<"oauth2_code">;
    const expected = { state, verifier: pending.verifier, redirectUri: redirectUri(this) };
    const all = this.store.tenant(credentials, workspaceId);
    try {
      const tokens = await tokensByCallback(asked => this.net.fetch(asked), data, parameters, expected);
      if (!(await all.updateOne({ id, revision }, tokenFields(this, id, tokens).change)))
        throw new AppError("conflict");
    } catch (error) {
      const shown = withoutSecrets(error, doc.type, data, null);
      if (!(shown instanceof TokenError)) throw error;
      await all.updateOne({ id, revision }, { $set: { lastError: shown.message } });
    }
    return { workspaceId, id };
  },
  { timeout: 30_000, outside: true },
);
