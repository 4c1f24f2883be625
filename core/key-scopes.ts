/** The properties of a call that the scopes of an API key decide by. */
export interface ScopedCall {
  action: string;
  /** The call only reads. */
  reads: boolean;
  /** The workflow that the call starts. */
  workflowId: unknown;
  /** The scope that the action's contract names. */
  keyScope?: string | undefined;
}

const APPROVES: ReadonlySet<string> = new Set(["executions.respond", "executions.approve"]);

/** Whether the scopes of a key allow a call. A key without scopes may do all that its role allows. */
export function scopesAllow(scopes: readonly string[], { action, reads, workflowId, keyScope }: ScopedCall): boolean {
  if (scopes.length === 0) return true;
  if (reads) return scopes.includes("read");
  if (action === "executions.start") return scopes.includes(`run:${String(workflowId)}`);
  if (APPROVES.has(action)) return scopes.includes("approve");
  return keyScope !== undefined && scopes.includes(keyScope);
}
