import type { McpServer } from "../../data/tools.ts";
import { words } from "../../messages/en-tools.ts";
import { Status, type StatusName } from "../../ui/status.tsx";

const MARKS: Record<McpServer["status"], StatusName> = { unknown: "running", connected: "completed", error: "failed" };

/** How the last sync of a server ended, as shape and word. */
export const ServerStatus = ({ status }: Pick<McpServer, "status">) => (
  <Status status={MARKS[status]}>{words.status[status]}</Status>
);
