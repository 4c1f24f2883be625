import type { McpServer, Source } from "../../data/tools.ts";
import { words } from "../../messages/en-tools.ts";
import { Status, type StatusName } from "../../ui/status.tsx";

const MARKS: Record<McpServer["status"], StatusName> = { unknown: "running", connected: "completed", error: "failed" };

/**
 * The result of the last sync, as a shape and a word. An API is only its document, so it has no state of answering
 * calls.
 */
export const ServerStatus = ({ status, kind }: Pick<Source, "status" | "kind">) => (
  <Status status={MARKS[status]}>
    {kind === "api" && status === "error" ? words.api.badDocument : words.status[status]}
  </Status>
);
