import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { weft } from "./client.ts";
import { storePresence, type PresentUser, presenceKey } from "./presence-cache.ts";
import type { WorkflowAddress } from "./workflow-types.ts";

export type { PresentUser };

/** The service forgets a report after 30 seconds. */
const REPORT_MS = 20_000;
/** How long a change of what the user does is held back, so that moving through several steps sends one report. */
const SOON_MS = 1_000;

/** What others see about the user of this page. */
export interface OwnActivity {
  editing: boolean;
  nodeId: string | undefined;
}

/**
 * Reports that the user has this workflow open, and returns who else has. A hidden tab reports nothing. Failures are
 * ignored, because the page works without presence.
 */
export function usePresence(at: WorkflowAddress, userId: string, doing: OwnActivity): readonly PresentUser[] {
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
        .then(answer => storePresence(workspaceId, answer))
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
  const { data } = useQuery<readonly PresentUser[]>({
    queryKey: presenceKey(workspaceId, id),
    queryFn: async ({ signal }) => (await weft.workflows.presence.get({ workspaceId, spaceId, id }, { signal })).present,
    staleTime: REPORT_MS,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return useMemo(() => (data ?? []).filter(one => one.userId !== userId), [data, userId]);
}
