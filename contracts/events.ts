/** Hints between services. A hint can be lost: whatever it would have started, a sweep starts too. */
interface Events {
  /** An execution waits to be claimed. */
  "execution.queued": { executionId: string };
  /** An execution was cancelled; whoever runs it aborts its steps. */
  "execution.cancelled": { executionId: string };
  /** Something came into the inbox of an execution; whoever holds it takes it. */
  "execution.signalled": { executionId: string };
  /** Somebody follows this execution for the next seconds and wants to hear of its entries. */
  "execution.watched": { executionId: string; forMs: number };
  /** A followed execution has entries up to this seq. For the nodes that follow it. */
  "execution.appended": { executionId: string; seq: number };
  /** Each of these users has a new notification. */
  "notifications.added": { userIds: string[] };
  /** Whoever asked for this call of a tool wants it no more. */
  "mcp.call.cancelled": { workspaceId: string; callId: string };
  /** How far a call of a tool is; a few times a second at most. For the node that waits for it. */
  "mcp.call.progress": { workspaceId: string; callId: string; progress: number; total?: number; message?: string };
  /** Whoever asked the language model this wants no answer any more. */
  "models.call.cancelled": { workspaceId: string; callId: string };
  /** A session or API key was ended; what is still open under it closes. */
  "credential.ended": { credentialId: string };
}

export type EventName = keyof Events;
export type EventOf<N extends EventName> = Events[N];
