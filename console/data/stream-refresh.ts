import type { WorkflowPresence } from "../../sdk/definition.ts";
import { storePresence } from "./presence-cache.ts";
import { mayPass } from "./problem.ts";
import { queryClient } from "./query-client.ts";

/** An event of the stream that this page may show. */
export interface StreamChange {
  event: string;
  /** The new status of a run. */
  status?: string | undefined;
  /** Who has a workflow open. */
  presence?: WorkflowPresence | undefined;
}

/** Bursts of events cause few refreshes: the first one soon, then one in each interval. */
const SOON_MS = 250;
const EVERY_MS = 2_000;
/** The service creates notifications a moment after the change. */
const NOTICE_MS = 1_500;

type Key = readonly unknown[];

const last = new Map<string, number>();
const planned = new Map<string, ReturnType<typeof setTimeout>>();

/** Refreshes the queries whose keys begin with `key`, soon and together with other changes. */
function renew(key: Key, everyMs = EVERY_MS, soonMs = SOON_MS): void {
  const name = JSON.stringify(key);
  if (planned.has(name)) return;
  const wait = Math.max(soonMs, (last.get(name) ?? 0) + everyMs - Date.now());
  const timer = setTimeout(() => {
    planned.delete(name);
    last.set(name, Date.now());
    void queryClient.invalidateQueries({ queryKey: key });
  }, wait);
  planned.set(name, timer);
}

const NOTIFICATIONS = ["me", "notifications"] as const;
const STATS_MS = 15_000;

/** Refreshes what one event of a workspace's stream changes. */
export function refreshChanged(workspaceId: string, { event, status, presence }: StreamChange): void {
  if (presence) return storePresence(workspaceId, presence);
  const w = (...rest: string[]): Key => ["w", workspaceId, ...rest];
  const isStart = event === "ready" || event === "reset";
  if (event === "execution.changed" || event.startsWith("question.") || isStart) {
    renew(w("runs", "newest"));
    renew(w("runs", "failed"));
    renew(w("runs", "stats"), STATS_MS);
  }
  if (event.startsWith("question.") || isStart) renew(w("questions"));
  if (event.startsWith("question.") || status === "failed" || status === "completed" || isStart) {
    renew(NOTIFICATIONS, EVERY_MS, NOTICE_MS);
  }
  if (event.startsWith("workflow.")) for (const part of [w("workflows"), w("tools", "users")]) renew(part);
  if (event.startsWith("import.")) renew(w("knowledge"));
  if (event.startsWith("mcp.")) renew(w("tools"));
  // The service answers again.
  if (isStart) void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => mayPass(state.error) });
  // After a gap anything may have changed. The list of runs stays, because its rows must not move while someone uses
  // it.
  if (event === "reset") for (const part of ["workflows", "members", "knowledge", "tools"]) renew(w(part));
}

/** Cancels planned refreshes when the page leaves the workspace. */
export function cancelRefreshes(): void {
  for (const timer of planned.values()) clearTimeout(timer);
  planned.clear();
}
