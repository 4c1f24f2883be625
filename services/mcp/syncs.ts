import { setTimeout as sleep } from "node:timers/promises";
import { AppError, notFound } from "../../contracts/errors.ts";
import { ALIVE } from "../../service-kit/tombstone.ts";
import { LIST_MS, syncServer } from "./sync-server.ts";
import { type ServerDoc, servers } from "./model.ts";
import type { Self, ServerRef, SyncWork } from "./service.ts";

/** Announcements of changes within this time cause one sync. The client also limits how many it forwards. */
const QUIET_MS = 500;
/** How often to check whether another node's sync has ended. */
const LOOK_MS = 100;
const MAX_LISTENED = 10_000;

interface Running {
  done: Promise<boolean>;
  /** True if the server has already responded to the listing. */
  listed: boolean;
}

/** The syncs of this node. Concurrent syncs of one server are shared. */
export class Syncs implements SyncWork {
  readonly #self: Self;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Running>();
  readonly #told = new Map<string, NodeJS.Timeout>();

  constructor(self: Self) {
    this.#self = self;
  }

  /** Runs `syncServer`, or joins the sync of this server that is in progress here. */
  run({ workspaceId, id }: ServerRef, onlyDue: boolean): Promise<boolean> {
    const under = this.#running.get(id);
    if (under) return under.done;
    const sync: Running = { listed: false, done: Promise.resolve(false) };
    const options = { onlyDue, signal: this.#stopping.signal, onListed: () => void (sync.listed = true) };
    sync.done = syncServer(this.#self, { workspaceId, id }, options).finally(() => {
      this.#running.delete(id);
    });
    this.#running.set(id, sync);
    return sync.done;
  }

  /** Like `run`, for a caller who needs the current tools. A sync whose listing was answered earlier does not count. */
  async #fresh(ref: ServerRef): Promise<boolean> {
    const under = this.#running.get(ref.id);
    if (under?.listed) await under.done.catch(() => undefined);
    return this.run(ref, false);
  }

  /** Runs after the response was sent. The tick retries what fails here. */
  start(ref: ServerRef): void {
    if (this.#stopping.signal.aborted) return;
    this.run(ref, true).catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) this.#self.warn("A sync of tools was cut off; Weft tries again.", error);
    });
  }

  /**
   * The server after a sync that ended after this call, on this node or another.
   * @throws {AppError} not_found, unavailable
   */
  async now(ref: ServerRef): Promise<ServerDoc> {
    const all = this.#self.store.tenant(servers, ref.workspaceId);
    const read = async () => {
      const server = await all.get({ id: ref.id, ...ALIVE });
      if (!server) throw notFound("MCP server");
      return server;
    };
    const until = performance.now() + LIST_MS;
    let other: string | null = null;
    do {
      const server = await read();
      // The sync of another node counts too, once it has ended.
      if (other !== null && server.syncHolder !== other) return server;
      const synced = await this.#fresh(ref).catch((error: unknown) => {
        this.#self.warn("A sync of tools was cut off; Weft tries again.", error);
        throw new AppError("unavailable", { detail: "The tools could not be synced. Try again." });
      });
      const now = await read();
      // If the lease is free, the other node's sync has just ended.
      if (synced || !now.syncHolder) return now;
      other = now.syncHolder;
      await sleep(LOOK_MS);
    } while (performance.now() < until && !this.#stopping.signal.aborted);
    throw new AppError("unavailable", { detail: "Another sync of this server is still in progress. Try again later." });
  }

  /** Syncs the server soon, because it announced a change of its tools, but not too often. */
  toolsChanged({ workspaceId, id }: ServerRef): void {
    if (this.#told.has(id) || this.#told.size >= MAX_LISTENED || this.#stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#told.delete(id);
      void this.#makeDue({ workspaceId, id });
    }, QUIET_MS);
    timer.unref();
    this.#told.set(id, timer);
  }

  /** First marks the server as due in the store, so that the announcement survives this process. */
  async #makeDue(ref: ServerRef): Promise<void> {
    try {
      await this.#running.get(ref.id)?.done.catch(() => undefined);
      const all = this.#self.store.tenant(servers, ref.workspaceId);
      const due = await all.updateOne({ id: ref.id, syncHolder: null, ...ALIVE }, { $set: { syncAt: new Date() } });
      if (due) this.start(ref);
      // Another node is syncing the server, and may have listed its tools before the change.
      else if (await all.get({ id: ref.id, ...ALIVE })) this.toolsChanged(ref);
      else await this.#self.clients.forget(ref.id);
    } catch (error) {
      this.#self.warn("The changed tools of a server could not be synced; the next sync repairs it.", error);
    }
  }

  /** Aborts the syncs in progress and waits for them. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#told.values()) clearTimeout(timer);
    this.#told.clear();
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }
}
