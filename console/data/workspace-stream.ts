import { useEffect } from "react";
import type { ExecutionSummary, WorkflowPresence } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { forgetLive, setLive } from "./live.ts";
import { cancelRefreshes, refreshChanged, type StreamChange } from "./stream-refresh.ts";

/**
 * A tab that has been hidden for this long stops reading the stream for others, because browsers allow few connections.
 */
const HIDDEN_MS = 60_000;
const AGAIN_MS = 2_000;

/** Messages between tabs. `hello` asks the tab that reads the stream for its state. */
type Message = { workspaceId: string } & ({ kind: "hello" } | { kind: "state"; live: boolean } | { kind: "news"; news: StreamChange });

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>(done => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
  });

/** How one tab follows a workspace. It reads the stream for all tabs, or gets events from the tab that does. */
class TabStream {
  readonly #workspaceId: string;
  readonly #channel = new BroadcastChannel("weft:stream");
  /** Aborting it stops this tab: its stream, or its wait for the lock. */
  #awake: AbortController | undefined;
  #reads = false;
  #live = false;
  #hiddenTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#hear(data);
    document.addEventListener("visibilitychange", this.#look);
    this.#look();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#look);
    clearTimeout(this.#hiddenTimer);
    this.#awake?.abort();
    this.#channel.close();
    cancelRefreshes();
    forgetLive();
  }

  readonly #look = () => {
    clearTimeout(this.#hiddenTimer);
    // Without the Web Locks API each tab reads for itself, so a hidden tab stops at once.
    if (document.hidden) this.#hiddenTimer = setTimeout(() => this.#sleep(), hasLocks() ? HIDDEN_MS : 0);
    else if (!this.#awake) this.#wake();
  };

  #sleep(): void {
    this.#awake?.abort();
    this.#awake = undefined;
  }

  #wake(): void {
    const awake = (this.#awake = new AbortController());
    setLive(false);
    this.#send({ kind: "hello" });
    if (!hasLocks()) return void this.#read(awake.signal);
    const lock = `weft-stream:${this.#workspaceId}`;
    navigator.locks.request(lock, { signal: awake.signal }, () => this.#read(awake.signal)).catch(() => undefined);
  }

  /** Reads the stream for all tabs until this tab sleeps. */
  async #read(signal: AbortSignal): Promise<void> {
    this.#reads = true;
    while (!signal.aborted) {
      try {
        const events = weft.workspaces.events({ workspaceId: this.#workspaceId }, { signal, maxRetries: 0 });
        // The first event reports that the stream is ready.
        for await (const { event, data } of events) {
          this.#become(true);
          const status = event === "execution.changed" ? (data as ExecutionSummary).status : undefined;
          const presence = event === "workflow.presence" ? (data as WorkflowPresence) : undefined;
          const news = { event, ...(status && { status }), ...(presence && { presence }) };
          refreshChanged(this.#workspaceId, news);
          this.#send({ kind: "news", news });
        }
      } catch {
        // The state that is set below reports it.
      }
      if (signal.aborted) break;
      this.#become(false);
      await pause(AGAIN_MS, signal);
    }
    this.#reads = this.#live = false;
  }

  #become(live: boolean): void {
    this.#live = live;
    setLive(live);
    this.#send({ kind: "state", live });
  }

  #send(message: { kind: "hello" } | { kind: "state"; live: boolean } | { kind: "news"; news: StreamChange }): void {
    if (hasLocks()) this.#channel.postMessage({ workspaceId: this.#workspaceId, ...message });
  }

  #hear(message: Message): void {
    if (message.workspaceId !== this.#workspaceId || !hasLocks()) return;
    if (message.kind === "hello") {
      if (this.#reads) this.#send({ kind: "state", live: this.#live });
    } else if (this.#reads || !this.#awake) return;
    else if (message.kind === "state") setLive(message.live);
    else {
      setLive(true);
      refreshChanged(this.#workspaceId, message.news);
    }
  }
}

/** The Web Locks API needs a secure context, which plain HTTP on a network is not. */
const hasLocks = (): boolean => "locks" in navigator;

/** Follows a workspace while the component is mounted, with one connection for all tabs. */
export function useWorkspaceStream(workspaceId: string | undefined): void {
  useEffect(() => {
    if (workspaceId === undefined) return;
    const stream = new TabStream(workspaceId);
    return () => stream.close();
  }, [workspaceId]);
}
