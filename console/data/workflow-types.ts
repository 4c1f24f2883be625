import type { Workflow } from "../../sdk/definition.ts";

/** The address of a workflow. */
export interface WorkflowAddress {
  workspaceId: string;
  spaceId: string;
  id: string;
}

/** A workflow with the entity tag that a save needs. */
export interface StoredWorkflow {
  workflow: Workflow;
  etag: string | undefined;
}

/** The fields that a save sends. */
export interface Change {
  name?: string;
  description?: string;
  definition?: unknown;
  message?: string;
}

/** Which draft of this browser the service holds: its time here, and its revision on the service. */
export interface DraftNote {
  at: number;
  revision: string;
}
