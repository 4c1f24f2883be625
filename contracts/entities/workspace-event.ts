import { z } from "zod";
import { id, timestamp } from "../primitives.ts";
import { executionSummary } from "./execution.ts";
import { knowledgeImport } from "./knowledge.ts";
import { mcpServer, SERVER_STATUSES } from "./mcp-server.ts";
import { workflowPresence } from "./presence.ts";
import { workflow } from "./workflow.ts";

const question = z.object({
  executionId: id,
  spaceId: id,
  workflowId: id,
  workflowName: z.string().optional(),
  open: z.int().min(0).meta({ description: "The questions of the execution that are open now." }),
});

const workflowState = workflow
  .pick({ id: true, spaceId: true, name: true, status: true, version: true, deployedVersion: true, updatedAt: true })
  .partial({ name: true, version: true, deployedVersion: true, updatedAt: true })
  .extend({ status: z.enum(["active", "trashed", "deleted"]) });

const server = mcpServer
  .pick({ name: true, lastError: true, lastSyncedAt: true, toolCount: true })
  .partial()
  .extend({ id, status: z.enum([...SERVER_STATUSES, "deleted"]) });

/** The events of a workspace's stream, and their data. */
export const WORKSPACE_EVENTS = {
  "execution.changed": executionSummary,
  "question.opened": question,
  "question.closed": question,
  "workflow.saved": workflowState,
  "workflow.deployed": workflowState,
  "workflow.trashed": workflowState,
  "workflow.presence": workflowPresence,
  "import.progress": knowledgeImport,
  "mcp.changed": server,
} as const;
export type WorkspaceEventName = keyof typeof WORKSPACE_EVENTS;
export const WORKSPACE_EVENT_NAMES = Object.keys(WORKSPACE_EVENTS) as [WorkspaceEventName, ...WorkspaceEventName[]];

/** The events of the stream itself, which filters do not affect. */
export const STREAM_EVENTS = ["ready", "reset"] as const;
/** The data of these events. */
export const streamState = z.object({ at: timestamp });

/** The data of an event of the stream, by its name. */
type EventData = { [N in WorkspaceEventName]: z.infer<(typeof WORKSPACE_EVENTS)[N]> };
export type WorkspaceEvent = EventData[WorkspaceEventName] | z.infer<typeof streamState>;
