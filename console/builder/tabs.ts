import { useCallback, useEffect, useRef, useState } from "react";

/** How long a tab waits for the answer of another one. */
const ANSWER_MS = 250;

interface Message {
  kind: "asks" | "edits" | "takes" | "gave";
  tab: number;
}

export type TabState = "asking" | "editing" | "elsewhere";

/** A lock that one tab at a time holds. Browsers lack locks on pages over plain HTTP. */
class TabLock {
  readonly #name: string;
  readonly #stop = new AbortController();
  #release: () => void = () => undefined;

  constructor(name: string) {
    this.#name = name;
  }

  get #held(): Promise<void> {
    return new Promise(done => (this.#release = done));
  }

  /** Takes the lock and calls `granted`, if no other tab holds it. */
  ifFree(granted: () => void): void {
    void navigator.locks?.request(this.#name, { ifAvailable: true }, lock => {
      if (!lock || this.#stop.signal.aborted) return undefined;
      const held = this.#held;
      granted();
      return held;
    });
  }

  /** Waits for the lock, ahead of all tabs that ask later. */
  queue(): void {
    const { signal } = this.#stop;
    navigator.locks
      ?.request(this.#name, { signal }, () => (signal.aborted ? undefined : this.#held))
      .catch(() => undefined);
  }

  /** Releases the lock for other tabs. */
  release(): void {
    this.#release();
  }

  close(): void {
    this.#stop.abort();
    this.#release();
  }
}

/**
 * Lets one tab of a user edit a workflow at a time. A tab that opens asks the others, and the one that edits answers. A
 * tab that gets the lock need not wait for answers, because every tab that edits holds the lock or waits for it. A tab
 * that takes over first makes the other one store its draft. In browsers without channels, every tab edits.
 */
export function useTab(name: string, enabled: boolean, keep: () => Promise<void>): { tab: TabState; take: () => void } {
  const shared = enabled && typeof BroadcastChannel !== "undefined";
  const [tab, setTab] = useState<TabState>("asking");
  const taking = useRef<() => void>(() => undefined);
  const take = useCallback(() => taking.current(), []);
  useEffect(() => {
    if (!shared) return;
    const channel = new BroadcastChannel(`weft:builder:${name}`);
    const lock = new TabLock(`weft:builder:${name}`);
    const own = Math.random();
    let state: TabState = "asking";
    let given: (() => void) | undefined;
    let open = true;
    let end: ReturnType<typeof setTimeout> | undefined;
    const become = (next: TabState) => setTab((state = next));
    const send = (kind: Message["kind"]) => open && channel.postMessage({ kind, tab: own } satisfies Message);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === "asks" && state === "editing") send("edits");
      // If two tabs ask at once, the one with the smaller number edits.
      if (data.kind === "asks" && state === "asking" && own < data.tab) send("edits");
      if (data.kind === "edits" && state === "asking") become("elsewhere");
      if (data.kind === "takes" && state === "editing") {
        become("elsewhere");
        void keep().finally(() => {
          lock.release();
          send("gave");
        });
      }
      if (data.kind === "gave") given?.();
    };
    send("asks");
    lock.ifFree(() => {
      if (state !== "asking") return;
      become("editing");
      // A tab that asked at the same moment has not received an answer yet.
      send("edits");
    });
    const timer = setTimeout(() => {
      if (state !== "asking") return;
      lock.queue();
      become("editing");
    }, ANSWER_MS);
    taking.current = () => {
      // The other tab may be closed or frozen. Then its last stored draft, at most half a second old, is used.
      clearTimeout(end);
      end = setTimeout(() => given?.(), 4 * ANSWER_MS);
      given = () => {
        given = undefined;
        clearTimeout(end);
        become("editing");
      };
      lock.queue();
      send("takes");
    };
    return () => {
      open = false;
      clearTimeout(timer);
      clearTimeout(end);
      taking.current = () => undefined;
      lock.close();
      channel.close();
    };
  }, [name, shared, keep]);
  return { tab: shared ? tab : "editing", take };
}
