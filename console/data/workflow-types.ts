import type { Workflow } from "../../sdk/definition.ts";

/** Where a workflow is. */
export interface WorkflowAddress {
  workspaceId: string;
  spaceId: string;
  id: string;
}

/** A workflow with the tag that a save of it needs. */
export interface Stored {
  workflow: Workflow;
  etag: string | undefined;
}

/** What a save sends. */
export interface Change {
  name?: string;
  description?: string;
  definition?: unknown;
  message?: string;
}

/** Which draft of this browser the service has: its time here, and its revision there. */
export interface DraftNote {
  at: number;
  revision: string;
}
