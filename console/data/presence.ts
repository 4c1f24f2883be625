import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { weft } from "./client.ts";
import { hearPresence, type Present, presenceKey } from "./present.ts";
import type { WorkflowAddress } from "./workflow-types.ts";

export type { Present };

/** A report holds for 30 seconds. */
const REPORT_MS = 20_000;
/** What the person does is told this long after it began, so that walking along steps is one report. */
const SOON_MS = 1_000;

/** What is told of the person at this page. */
export interface Doing {
  editing: boolean;
  nodeId: string | undefined;
}

/**
 * Tells the others that this person has the workflow open, and tells who else has. A tab out of sight reports nothing.
 * Without an answer the page goes on: presence is a courtesy.
 */
export function usePresence(at: WorkflowAddress, userId: string, doing: Doing): readonly Present[] {
  const { workspaceId, spaceId, id } = at;
  const { editing, nodeId } = doing;
  const latest = useRef(doing);
  useEffect(() => {
    latest.current = { editing, nodeId };
  }, [editing, nodeId]);
  const report = useMemo(() => {
    return () => {
      if (document.hidden) return;
      const { editing, nodeId } = latest.current;
      weft.workflows.presence
        .report({ workspaceId, spaceId, id, editing, nodeId: nodeId ?? null }, { maxRetries: 0, timeoutMs: SOON_MS * 10 })
        .then(answer => hearPresence(workspaceId, answer))
        .catch(() => undefined);
    };
  }, [workspaceId, spaceId, id]);
  useEffect(() => {
    const timer = setInterval(report, REPORT_MS);
    const end = () =>
      void weft.workflows.presence.end({ workspaceId, spaceId, id }, { maxRetries: 0 }).catch(() => undefined);
    document.addEventListener("visibilitychange", report);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", report);
      end();
    };
  }, [report, workspaceId, spaceId, id]);
  useEffect(() => {
    const timer = setTimeout(report, SOON_MS);
    return () => clearTimeout(timer);
  }, [report, editing, nodeId]);
  const { data } = useQuery<readonly Present[]>({
    queryKey: presenceKey(workspaceId, id),
    queryFn: async ({ signal }) => (await weft.workflows.presence.get({ workspaceId, spaceId, id }, { signal })).present,
    staleTime: REPORT_MS,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return useMemo(() => (data ?? []).filter(one => one.userId !== userId), [data, userId]);
}
