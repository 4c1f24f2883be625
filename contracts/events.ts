import type { StepWords } from "./entities/execution.ts";
import type { WorkspaceEventName } from "./entities/workspace-event.ts";

export type WorkspaceChange =
  /** The summary of an execution. `asked` is its number of open questions before and now. */
  | { kind: "execution"; id: string; asked: readonly [number, number] }
  | { kind: "event"; event: WorkspaceEventName; data: object };

/** Hints between services. A hint can be lost. A sweep then finds the work. */
interface Events {
  /** An execution waits to be claimed. */
  "execution.queued": { executionId: string };
  /**
   * An execution was cancelled. The worker that holds it aborts its steps. With `undoes` it is queued for its
   * compensations.
   */
  "execution.cancelled": { executionId: string; undoes?: boolean };
  /** The inbox of an execution has a new signal. The worker that holds the execution takes it. */
  "execution.signalled": { executionId: string };
  /** A client follows this execution for the next seconds, so its worker reports new entries. */
  "execution.watched": { executionId: string; forMs: number };
  /** A followed execution has entries up to this seq. Sent to the nodes that follow it. */
  "execution.appended": { executionId: string; seq: number };
  /** Clients follow this workspace for the next `forMs`, so its services report changes. */
  "workspace.watched": { workspaceId: string; forMs: number };
  /** Changes in a followed workspace. `lost` is true if there were too many changes to list. */
  "workspace.changed": { workspaceId: string; changes: WorkspaceChange[]; lost: boolean };
  /** Each of these users has a new notification. */
  "notifications.added": { userIds: string[] };
  /** The caller has cancelled this call of a tool. */
  "mcp.call.cancelled": { workspaceId: string; callId: string };
  /** The progress of a tool call, at most a few times a second. Sent to the node that waits for the call. */
  "mcp.call.progress": { workspaceId: string; callId: string; progress: number; total?: number; message?: string };
  /** The caller has cancelled this call of the language model. */
  "models.call.cancelled": { workspaceId: string; callId: string };
  /**
   * Text that the language model has written, from the position `at` on, a few times a second. Sent to the node that
   * waits for the response.
   */
  "models.call.words": { workspaceId: string; callId: string; at: number; words: string };
  /** The same for a followed execution. Sent to the nodes that follow it. */
  "execution.words": { executionId: string; words: StepWords };
  /** The values of a credential were changed, or it was deleted. Nodes close the connections that it opened. */
  "credential.changed": { workspaceId: string; id: string };
  /** A session or API key was ended. Nodes close the connections that it opened. */
  "credential.ended": { credentialId: string };
}

export type EventName = keyof Events;
export type EventOf<N extends EventName> = Events[N];
