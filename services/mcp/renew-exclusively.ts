import { setTimeout as sleep } from "node:timers/promises";
import { RENEWAL_MS } from "../../adapters/mcp/limits.ts";
import { McpError } from "../../adapters/mcp/mcp-error.ts";
import type { McpOAuth } from "../../adapters/mcp/port.ts";
import type { RenewalTurn, RenewalTurns } from "../../service-kit/renewal-turns.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { type ServerDoc, servers } from "./model.ts";
import { authOfServer } from "./sealed-auth.ts";
import type { Self } from "./service.ts";

/**
 * Longer than a renewal and the write that stores it. If a node dies during a renewal, the others wait for this time.
 */
export const HOLD_MS = RENEWAL_MS + 5_000;
/** A little longer than the turn of another node, to take over if it has died. */
const WAIT_MS = HOLD_MS + 1_000;
const LOOK_MS = 50;

type OwnTurn = ReturnType<RenewalTurns["begin"]>;
type Ref = Pick<ServerDoc, "id" | "workspaceId" | "revision">;

const isSame = (a: McpOAuth, b: McpOAuth) => a.accessToken === b.accessToken && a.refreshToken === b.refreshToken;

/** Makes one attempt. Returns the credential if another node has renewed it, or whether this node may renew it now. */
async function attempt(
  self: Self,
  ref: Ref,
  held: McpOAuth,
  turn: OwnTurn,
  hasEnded: (turn: RenewalTurn) => boolean,
): Promise<McpOAuth | boolean> {
  const { id, workspaceId, revision } = ref;
  const all = self.store.tenant(servers, workspaceId);
  const server = await all.get({ id, revision, ...ALIVE });
  const auth = server ? authOfServer(self, server) : null;
  if (!server || auth?.type !== "oauth") throw new McpError("mcp_aborted", "The server was changed or removed");
  if (!isSame(auth, held)) return auth;
  if (!hasEnded(server)) return false;
  const { credential = null, renewer = null } = server;
  return (await all.updateOne({ id, revision, credential, renewer, ...ALIVE }, { $set: turn })) !== null;
}

async function take(self: Self, ref: Ref, held: McpOAuth, turn: OwnTurn): Promise<McpOAuth | null> {
  const hasEnded = self.turns.watch();
  const until = performance.now() + WAIT_MS;
  do {
    const found = await attempt(self, ref, held, turn, hasEnded).catch((error: unknown) => {
      if (error instanceof McpError) throw error;
      throw new McpError("mcp_aborted", "The credential could not be looked up: try again", error);
    });
    if (found === true) return null;
    if (found !== false) return found;
    await sleep(LOOK_MS, undefined, { ref: false });
  } while (performance.now() < until);
  throw new McpError("mcp_aborted", "Another node is still renewing the credential: try again");
}

/**
 * Renews the credential of a target on one node at a time. The server's document records which node renews.
 * @throws {McpError} when the renewal fails; errors of `renew` are passed on
 */
export async function renewExclusively(
  self: Self,
  ref: Ref,
  held: McpOAuth,
  renew: () => Promise<void>,
): Promise<McpOAuth | null> {
  const turn = self.turns.begin();
  try {
    const newer = await take(self, ref, held, turn);
    if (newer) return newer;
    await renew();
    return null;
  } finally {
    self.turns.end(turn);
    const { renewer } = turn;
    const { id, workspaceId } = ref;
    const release = { $unset: { renewer: true, renewUntil: true } } as const;
    await self.store
      .tenant(servers, workspaceId)
      .updateOne({ id, renewer }, release)
      .catch(() => undefined);
  }
}
