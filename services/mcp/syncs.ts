import { setTimeout as sleep } from "node:timers/promises";
import { AppError, notFound } from "../../contracts/errors.ts";
import { ALIVE } from "../../mixins/tombstone.ts";
import { LIST_MS, syncServer } from "./sync-server.ts";
import { type ServerDoc, servers } from "./model.ts";
import type { Self, ServerRef, SyncWork } from "./service.ts";

/** What a server says of changes in between is one; the client does not pass on too many. */
const QUIET_MS = 500;
/** How often is looked whether the sync of another node has ended. */
const LOOK_MS = 100;
const MAX_LISTENED = 10_000;

interface Running {
  done: Promise<boolean>;
  /** The server has said by now what tools it has. */
  listed: boolean;
}

/** The syncs of this node: those of one server at the same time are one. */
export class Syncs implements SyncWork {
  readonly #self: Self;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Running>();
  readonly #told = new Map<string, NodeJS.Timeout>();

  constructor(self: Self) {
    this.#self = self;
  }

  /** As `syncServer`, or the one of this server that runs here already. */
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

  /** The same for somebody who wants to know what the server has now: what it has said before is not enough. */
  async #fresh(ref: ServerRef): Promise<boolean> {
    const under = this.#running.get(ref.id);
    if (under?.listed) await under.done.catch(() => undefined);
    return this.run(ref, false);
  }

  /** Behind an answer: what fails here, the tick does. */
  start(ref: ServerRef): void {
    if (this.#stopping.signal.aborted) return;
    this.run(ref, true).catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) this.#self.warn("A sync of tools was cut off; it is tried again.", error);
    });
  }

  /** The server after a sync that ends after this was called, here or on another node. @throws AppError not_found, unavailable */
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
      // Another node's sync counts as well, once it has ended.
      if (other !== null && server.syncHolder !== other) return server;
      const synced = await this.#fresh(ref).catch((error: unknown) => {
        this.#self.warn("A sync of tools was cut off; it is tried again.", error);
        throw new AppError("unavailable", { detail: "The tools could not be synced. Try again." });
      });
      const now = await read();
      // Where nobody has it any more, the one that had it a moment ago has ended.
      if (synced || !now.syncHolder) return now;
      other = now.syncHolder;
      await sleep(LOOK_MS);
    } while (performance.now() < until && !this.#stopping.signal.aborted);
    throw new AppError("unavailable", { detail: "Another sync of this server takes too long. Try again later." });
  }

  /** A server says that its tools changed: it is synced, soon and not too often. */
  toolsChanged({ workspaceId, id }: ServerRef): void {
    if (this.#told.has(id) || this.#told.size >= MAX_LISTENED || this.#stopping.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#told.delete(id);
      void this.#makeDue({ workspaceId, id });
    }, QUIET_MS);
    timer.unref();
    this.#told.set(id, timer);
  }

  /** In the store first, so that it is not lost with this process. */
  async #makeDue(ref: ServerRef): Promise<void> {
    try {
      await this.#running.get(ref.id)?.done.catch(() => undefined);
      const all = this.#self.store.tenant(servers, ref.workspaceId);
      const due = await all.updateOne({ id: ref.id, syncHolder: null, ...ALIVE }, { $set: { syncAt: new Date() } });
      if (due) this.start(ref);
      // Another node syncs it just now, and may have asked before the change.
      else if (await all.get({ id: ref.id, ...ALIVE })) this.toolsChanged(ref);
      else await this.#self.clients.forget(ref.id);
    } catch (error) {
      this.#self.warn("A server's tools changed and could not be synced; the next sync finds it.", error);
    }
  }

  /** Aborts what runs and waits for it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#told.values()) clearTimeout(timer);
    this.#told.clear();
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }
}
