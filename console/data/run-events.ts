import { useEffect, useState } from "react";
import type { LogEntry } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { runKey } from "./run.ts";
import type { RunAddress } from "./run-types.ts";

export type Connection = "connecting" | "live" | "lost" | "ended";

/** What arrives within this time is read again together. */
const GATHER_MS = 400;
/** A tab that is out of sight for this long ends its stream, because browsers allow few connections. */
const HIDDEN_MS = 60_000;
/** A connection that is back within this time is not worth a word. */
const PATIENCE_MS = 5_000;
const AGAIN_MS = 2_000;

/** The number of the newest entry, from which the stream goes on: what was before it is read in pages. */
async function newestEntry(at: RunAddress, signal: AbortSignal): Promise<string | undefined> {
  const { items } = await weft.executions.logs({ ...at, payloads: false, order: "desc", limit: 1 }, { signal });
  return items[0] && String(items[0].seq);
}

/** Reads the parts of a run again that an entry may have changed. */
function renew(at: RunAddress, entries: readonly LogEntry[]): void {
  const ofRun = entries.some(({ event }) => event.startsWith("execution."));
  const parts = ["steps", "log", "output", ...(ofRun ? ["run"] : [])];
  for (const part of parts) void queryClient.invalidateQueries({ queryKey: [...runKey(at), part] });
  if (ofRun) void queryClient.invalidateQueries({ queryKey: ["w", at.workspaceId, "runs"] });
}

/**
 * Follows a run until it ends, and renews what is shown of it. Entries carry their numbers, so a connection that breaks goes on
 * behind the last one.
 */
export function useRunEvents(at: RunAddress, active: boolean): Connection {
  const { workspaceId, spaceId, id } = at;
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(() => {
    if (!active) return;
    const address = { workspaceId, spaceId, id };
    let stop = new AbortController();
    let last: string | undefined;
    let lostTimer: ReturnType<typeof setTimeout> | undefined;
    let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
    let gathered: LogEntry[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      const entries = gathered;
      gathered = [];
      if (entries.length > 0) renew(address, entries);
    };
    const heard = () => {
      clearTimeout(lostTimer);
      lostTimer = undefined;
      setConnection("live");
    };
    const follow = async ({ signal }: AbortController) => {
      while (!signal.aborted) {
        try {
          if (last === undefined) {
            last = await newestEntry(address, signal);
            void queryClient.invalidateQueries({ queryKey: runKey(address) });
          }
          const events = weft.executions.events({ ...address, payloads: false }, { signal, lastEventId: last, maxRetries: 0 });
          heard();
          for await (const event of events) {
            heard();
            last = event.id ?? last;
            gathered.push(event.data);
            timer ??= setTimeout(flush, GATHER_MS);
          }
          flush();
          return setConnection("ended");
        } catch {
          if (signal.aborted) return;
          lostTimer ??= setTimeout(() => setConnection("lost"), PATIENCE_MS);
          await new Promise(done => setTimeout(done, AGAIN_MS));
        }
      }
    };
    const look = () => {
      clearTimeout(hiddenTimer);
      if (document.hidden) {
        hiddenTimer = setTimeout(() => stop.abort(), HIDDEN_MS);
      } else if (stop.signal.aborted) {
        stop = new AbortController();
        void follow(stop);
        void queryClient.invalidateQueries({ queryKey: runKey(address) });
      }
    };
    void follow(stop);
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      stop.abort();
      for (const one of [timer, lostTimer, hiddenTimer]) clearTimeout(one);
    };
  }, [workspaceId, spaceId, id, active]);
  return active ? connection : "ended";
}
