import { v7 as uuid } from "uuid";
import { McpError } from "../../adapters/mcp/mcp-error.ts";
import { secretsOf } from "../../adapters/mcp/port.ts";
import { maskerOf } from "../../core/credentials/mask.ts";
import { clip } from "../../core/clip.ts";
import { syncDelay } from "../../core/mcp/sync-delay.ts";
import { isNotMatched } from "../../adapters/store/errors.ts";
import { publishServer } from "./workspace-events.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { keepLease, leaseEnd, releaseServer, takeServer } from "./lease.ts";
import { listApi, ListingError } from "./api-listing.ts";
import { type Listing, listedTools } from "./listed-tools.ts";
import { type ServerNotice, type ServerDoc, servers } from "./model.ts";
import { noticeFields } from "./server-notices.ts";
import { authOfServer, UNDECRYPTABLE } from "./sealed-auth.ts";
import type { Self } from "./service.ts";
import { storeTools } from "./store-tools.ts";
import { targetOf } from "./target.ts";

/** The time limit for all pages of one server. */
export const LIST_MS = 40_000;
const MAX_ERROR = 500;
const MAX_NAMED = 10;
/** The delay before a retry after a failure of this node. Such a failure says nothing about the server. */
const AGAIN_MS = 10_000;
/** Each failed try means that a user has changed the server meanwhile. */
const MAX_TRIES = 5;

type Listed = { listing: Listing } | { failure: string };

/** @throws {McpError} when this node, and not the server, is the cause of the failure */
async function list(self: Self, server: ServerDoc, signal: AbortSignal): Promise<Listed> {
  if (server.kind === "api") return listDocument(self, server, signal);
  const auth = authOfServer(self, server);
  if (!auth) return { failure: UNDECRYPTABLE };
  try {
    return { listing: await self.clients.list(targetOf(self, server, auth), { timeoutMs: LIST_MS, signal }) };
  } catch (error) {
    if (!(error instanceof McpError) || error.code === "mcp_busy" || error.code === "mcp_aborted") throw error;
    return { failure: clip(maskerOf(secretsOf(auth))(error.message), MAX_ERROR) };
  }
}

/** @throws {McpError} when this node, and not the document, is the cause of the failure */
async function listDocument(self: Self, server: ServerDoc, signal: AbortSignal): Promise<Listed> {
  try {
    return { listing: await listApi(self, server, { timeoutMs: LIST_MS, signal }) };
  } catch (error) {
    if (error instanceof ListingError) return { failure: clip(error.message, MAX_ERROR) };
    if (!(error instanceof McpError) || error.code === "mcp_busy" || error.code === "mcp_aborted") throw error;
    return { failure: clip(error.message, MAX_ERROR) };
  }
}

const named = (names: readonly string[]) =>
  names.length > MAX_NAMED
    ? `${names.slice(0, MAX_NAMED).join(", ")} and ${names.length - MAX_NAMED} more`
    : names.join(", ");

/** The notices after a successful sync. */
function newsOf({ status }: ServerDoc, changed: readonly string[]): Omit<ServerNotice, "seq">[] {
  const recovered = { kind: "recovered" as const, text: "Its tools are synced again." };
  const different = {
    kind: "changed" as const,
    text: `The description or schema of these tools has changed: ${named(changed)}. Check the workflows that use them.`,
  };
  return [...(status === "error" ? [recovered] : []), ...(changed.length > 0 ? [different] : [])];
}

const isUploaded = ({ kind, url }: ServerDoc) => kind === "api" && url === "";

const next = ({ syncIntervalMs }: Self, failures: number, now: Date) =>
  new Date(now.getTime() + syncDelay(syncIntervalMs, failures, Math.random()));

/** Stores a listing in one write, unless the server was changed or deleted meanwhile (`not_matched`). */
async function storeListing(self: Self, server: ServerDoc, listing: Listing): Promise<void> {
  const { id, workspaceId, version, syncHolder } = server;
  const { tools, dropped } = await listedTools(listing);
  const now = new Date();
  const { ops, markForNotice } = await storeTools(self, server, tools, now);
  const all = self.store.tenant(servers, workspaceId);
  const mine = { id, version, syncHolder, ...ALIVE };
  const { name, version: release } = listing.server;
  await self.store.write([
    all.ops.updateOne(mine, { $set: { syncAt: leaseEnd() } }, { required: true }),
    ...ops,
    all.ops.updateOne(
      mine,
      {
        $set: {
          ...{ status: "connected", lastError: null, lastCheckedAt: now, lastSyncedAt: now, failures: 0 },
          ...{ toolCount: tools.length, droppedTools: dropped, ...listing.api },
          // An uploaded document changes only with its API.
          ...(!isUploaded(server) && { syncAt: next(self, 0, now) }),
          ...{ protocolVersion: listing.protocolVersion, transport: listing.transport },
          serverInfo: { name: clip(name, 200), version: clip(release, 100) },
          ...noticeFields(server, newsOf(server, markForNotice), now),
          ...(markForNotice.length > 0 && { changesToldAt: now }),
        },
        $unset: { syncHolder: true, ...(isUploaded(server) && { syncAt: true as const }) },
      },
      { required: true },
    ),
  ]);
}

/** Stores the failure. The tools do not change. */
async function storeFailure(self: Self, server: ServerDoc, failure: string): Promise<void> {
  const { id, workspaceId, version, syncHolder, status, failures } = server;
  const now = new Date();
  const news = status === "error" ? [] : [{ kind: "error" as const, text: failure }];
  const change = {
    $set: {
      ...{ status: "error" as const, lastError: failure, lastCheckedAt: now, failures: failures + 1 },
      ...(!isUploaded(server) && { syncAt: next(self, failures + 1, now) }),
      ...noticeFields(server, news, now),
    },
    $unset: { syncHolder: true as const, ...(isUploaded(server) && { syncAt: true as const }) },
  };
  const mine = { id, version, syncHolder, ...ALIVE };
  await self.store.write([self.store.tenant(servers, workspaceId).ops.updateOne(mine, change, { required: true })]);
}

async function syncHeld(self: Self, server: ServerDoc, { signal, onListed }: SyncOptions): Promise<void> {
  const listed = await list(self, server, signal);
  onListed();
  if ("failure" in listed) return storeFailure(self, server, listed.failure);
  await storeListing(self, server, listed.listing);
  self.embeddings.soon();
}

interface SyncOptions {
  /** Does nothing before the sync is due. */
  onlyDue: boolean;
  signal: AbortSignal;
  /** Called when the server has responded to the listing, or failed to. */
  onListed: () => void;
}

/**
 * Syncs the tools of a server: takes its lease, lists its tools, and stores the differences in one write. On failure it
 * stores the reason, and keeps the tools of the last successful sync. Every sync uses this function. Returns false if
 * another sync has the lease, the sync is not due (`onlyDue`), or the server no longer exists. Rejects if this node is
 * the cause of the failure; the server is then due again soon.
 */
export async function syncServer(
  self: Self,
  ref: Pick<ServerDoc, "workspaceId" | "id">,
  options: SyncOptions,
): Promise<boolean> {
  const { onlyDue, signal } = options;
  const holder = uuid();
  let server = await takeServer(self, ref, holder, onlyDue);
  if (!server) return false;
  const letGo = keepLease(self, ref, holder);
  const all = self.store.tenant(servers, ref.workspaceId);
  try {
    for (let tries = 1; ; tries++) {
      try {
        await syncHeld(self, server, options);
        self.outbox.soon();
        await publishServer(self, ref);
        return true;
      } catch (error) {
        if (!isNotMatched(error) || tries === MAX_TRIES) throw error;
        server = await all.get({ id: ref.id, syncHolder: holder, ...ALIVE });
        if (!server) return false;
      }
    }
  } catch (error) {
    const again = new Date(Date.now() + (signal.aborted ? 0 : AGAIN_MS));
    await releaseServer(self, ref, holder, again).catch(() => undefined);
    throw error;
  } finally {
    letGo();
  }
}
