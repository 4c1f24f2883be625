import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { AuditEntry } from "../../sdk/definition.ts";
import { weft } from "./client.ts";

export type { AuditEntry } from "../../sdk/definition.ts";

const PAGE = 50;
const EXPORT_PAGE = 200;
/** The most entries that an export holds. It bounds the memory of the page. */
export const MAX_EXPORTED = 10_000;

export interface AuditFilters {
  who?: string | undefined;
  action?: string | undefined;
  kind?: string | undefined;
  /** Days, such as 2026-11-23, in the time zone of the page. `to` is included. */
  from?: string | undefined;
  to?: string | undefined;
}

const DAY_MS = 86_400_000;
const startOf = (day: string, laterMs = 0) => new Date(Date.parse(`${day}T00:00:00`) + laterMs).toISOString();

const filtersOf = ({ who, action, kind, from, to }: AuditFilters) => ({
  ...(who && { actorId: who }),
  ...(action && { action }),
  ...(kind && { resourceType: kind }),
  ...(from && { from: startOf(from) }),
  ...(to && { to: startOf(to, DAY_MS) }),
});

/** The audit log, newest first. Only admins may read it. */
export const auditQuery = (workspaceId: string, filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ["w", workspaceId, "audit", filters],
    queryFn: ({ signal, pageParam }) => {
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      return Promise.resolve(
        weft.audit.list({ workspaceId, limit: PAGE, ...filtersOf(filters), ...cursor }, { signal }),
      );
    },
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
  });

/** Reads all entries that match, newest first, up to the bound of an export. */
export async function readAudit(
  workspaceId: string,
  filters: AuditFilters,
  onProgress: (entries: number) => void,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for await (const entry of weft.audit.list({ workspaceId, limit: EXPORT_PAGE, ...filtersOf(filters) })) {
    entries.push(entry);
    if (entries.length % EXPORT_PAGE === 0) onProgress(entries.length);
    if (entries.length >= MAX_EXPORTED) break;
  }
  return entries;
}
