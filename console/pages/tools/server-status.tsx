import type { McpServer, Source } from "../../data/tools.ts";
import { words } from "../../messages/en-tools.ts";
import { Status, type StatusName } from "../../ui/status.tsx";

const MARKS: Record<McpServer["status"], StatusName> = { unknown: "running", connected: "completed", error: "failed" };

/** How the last sync of a server ended, as shape and word. An API is its document, which answers no calls. */
export const ServerStatus = ({ status, kind }: Pick<Source, "status" | "kind">) => (
  <Status status={MARKS[status]}>
    {kind === "api" && status === "error" ? words.api.badDocument : words.status[status]}
  </Status>
);
