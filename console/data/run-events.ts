import { useEffect, useRef } from "react";
import type { LogEntry, StepWords } from "../../sdk/definition.ts";
import { weft } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { runKey } from "./run-key.ts";
import type { RunAddress } from "./run-types.ts";

/** Changes that arrive within this time cause one refresh together. */
const GATHER_MS = 400;
/** A tab that has been hidden for this long closes its stream, because browsers allow few connections. */
const HIDDEN_MS = 60_000;
const AGAIN_MS = 2_000;
/** Carries text that a model is writing. These events have no number and are not in the log. */
const WORDS = "step.delta";
const FINAL: ReadonlySet<string> = new Set(["execution.completed", "execution.failed", "execution.cancelled"]);

/** The locks that tabs of a browser hold while they stream a run. Tabs without one poll the log. */
const STREAMS = ["weft-run-1", "weft-run-2"] as const;

/**
 * Calls `work` while it holds one of the locks for streams.
 * @returns false if all locks were taken
 */
async function inPlace(work: () => Promise<void>): Promise<boolean> {
  // Without the Web Locks API, only visible tabs stream.
  if (!("locks" in navigator)) return document.hidden ? false : work().then(() => true);
  for (const place of STREAMS) {
    const had = await navigator.locks.request(place, { ifAvailable: true }, async lock => {
      if (lock) await work();
      return lock !== null;
    });
    if (had) return true;
  }
  return false;
}

/** The number of the newest entry. The stream starts after it, because earlier entries are read in pages. */
async function newestEntry(at: RunAddress, signal: AbortSignal): Promise<string | undefined> {
  const { items } = await weft.executions.logs({ ...at, payloads: false, order: "desc", limit: 1 }, { signal });
  return items[0] && String(items[0].seq);
}

/** Refreshes the parts of a run that these entries may have changed. */
function renew(at: RunAddress, entries: readonly LogEntry[]): void {
  const ofRun = entries.some(({ event }) => event.startsWith("execution."));
  const parts = ["steps", "log", "output", ...(ofRun ? ["run"] : [])];
  for (const part of parts) void queryClient.invalidateQueries({ queryKey: [...runKey(at), part] });
  if (ofRun) void queryClient.invalidateQueries({ queryKey: ["w", at.workspaceId, "runs"] });
}

/**
 * Follows a run until it ends, and refreshes the queries about it. Entries are numbered, so a new connection continues
 * after the last one received. Without a free lock for a stream, it polls the log. `onWords` receives the text that
 * language models write, while they write it. Lost parts arrive later with the log.
 */
export function useRunEvents(at: RunAddress, active: boolean, onWords?: (words: StepWords) => void): void {
  const { workspaceId, spaceId, id } = at;
  const heard = useRef(onWords);
  useEffect(() => {
    heard.current = onWords;
  });
  const deltas = onWords !== undefined;
  useEffect(() => {
    if (!active) return;
    const address = { workspaceId, spaceId, id };
    let stop = new AbortController();
    let last: string | undefined;
    let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
    let gathered: LogEntry[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasEnd = false;
    const flush = () => {
      timer = undefined;
      const entries = gathered;
      gathered = [];
      hasEnd ||= entries.some(({ event }) => FINAL.has(event));
      if (entries.length > 0) renew(address, entries);
    };
    const take = (entry: LogEntry) => {
      last = String(entry.seq);
      gathered.push(entry);
      timer ??= setTimeout(flush, GATHER_MS);
    };
    const stream = async (signal: AbortSignal) => {
      const after = { signal, lastEventId: last, maxRetries: 0 };
      const events = weft.executions.events({ ...address, payloads: false, ...(deltas && { deltas }) }, after);
      for await (const { event, data } of events) {
        if (event === WORDS) heard.current?.(data as unknown as StepWords);
        else take(data);
      }
    };
    const ask = async (signal: AbortSignal): Promise<boolean> => {
      const after = last === undefined ? {} : { after: Number(last) };
      const { items } = await weft.executions.logs({ ...address, payloads: false, limit: 200, ...after }, { signal });
      items.forEach(take);
      return items.some(({ event }) => FINAL.has(event));
    };
    const follow = async ({ signal }: AbortController) => {
      while (!signal.aborted) {
        try {
          if (last === undefined) {
            last = await newestEntry(address, signal);
            void queryClient.invalidateQueries({ queryKey: runKey(address) });
          }
          const ended = (await inPlace(() => stream(signal))) || (await ask(signal));
          if (ended) return flush();
        } catch {
          if (signal.aborted) return;
        }
        await new Promise(done => setTimeout(done, AGAIN_MS));
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
      for (const one of [timer, hiddenTimer]) clearTimeout(one);
      // The page may read that the run has ended before its last entries arrive here, so everything is read once more. The
      // timer lets a page that closes stop its queries first. Otherwise each of them would send a request.
      if (!hasEnd) setTimeout(() => void queryClient.invalidateQueries({ queryKey: runKey(address) }));
    };
  }, [workspaceId, spaceId, id, active, deltas]);
}
