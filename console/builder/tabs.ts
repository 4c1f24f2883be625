import { useCallback, useEffect, useRef, useState } from "react";

/** How long a tab waits for the answer of another one. */
const ANSWER_MS = 250;

interface Message {
  kind: "asks" | "edits" | "takes" | "gave";
  tab: number;
}

export type TabState = "asking" | "editing" | "elsewhere";

/**
 * Lets one tab of a person edit a workflow at a time. A tab that opens asks the others; the one that edits answers. A
 * tab that takes over makes the other one keep its draft first. Where a browser has no channels, every tab edits.
 */
export function useTab(name: string, enabled: boolean, keep: () => Promise<void>): { tab: TabState; take: () => void } {
  const shared = enabled && typeof BroadcastChannel !== "undefined";
  const [tab, setTab] = useState<TabState>("asking");
  const taking = useRef<() => void>(() => undefined);
  const take = useCallback(() => taking.current(), []);
  useEffect(() => {
    if (!shared) return;
    const channel = new BroadcastChannel(`weft:builder:${name}`);
    const own = Math.random();
    let state: TabState = "asking";
    let given: (() => void) | undefined;
    let open = true;
    let end: ReturnType<typeof setTimeout> | undefined;
    const become = (next: TabState) => setTab((state = next));
    const send = (kind: Message["kind"]) => open && channel.postMessage({ kind, tab: own } satisfies Message);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === "asks" && state === "editing") send("edits");
      // Of two tabs that ask at once, the one with the smaller number edits.
      if (data.kind === "asks" && state === "asking" && own < data.tab) send("edits");
      if (data.kind === "edits" && state === "asking") become("elsewhere");
      if (data.kind === "takes" && state === "editing") {
        become("elsewhere");
        void keep().finally(() => send("gave"));
      }
      if (data.kind === "gave") given?.();
    };
    send("asks");
    const timer = setTimeout(() => state === "asking" && become("editing"), ANSWER_MS);
    taking.current = () => {
      // The other tab may be gone, or frozen: then its last draft is the one of half a second ago.
      clearTimeout(end);
      end = setTimeout(() => given?.(), 4 * ANSWER_MS);
      given = () => {
        given = undefined;
        clearTimeout(end);
        become("editing");
      };
      send("takes");
    };
    return () => {
      open = false;
      clearTimeout(timer);
      clearTimeout(end);
      taking.current = () => undefined;
      channel.close();
    };
  }, [name, shared, keep]);
  return { tab: shared ? tab : "editing", take };
}
