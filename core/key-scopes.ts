/** What a call is, for the scopes of an API key. */
export interface ScopedCall {
  action: string;
  /** The call changes nothing. */
  reads: boolean;
  /** The workflow that the call starts. */
  workflowId: unknown;
  /** The scope that its contract names. */
  keyScope?: string | undefined;
}

const APPROVES: ReadonlySet<string> = new Set(["executions.respond", "executions.approve"]);

/** Whether the scopes of a key allow a call. No scopes allow all that the role does. */
export function scopesAllow(scopes: readonly string[], { action, reads, workflowId, keyScope }: ScopedCall): boolean {
  if (scopes.length === 0) return true;
  if (reads) return scopes.includes("read");
  if (action === "executions.start") return scopes.includes(`run:${String(workflowId)}`);
  if (APPROVES.has(action)) return scopes.includes("approve");
  return keyScope !== undefined && scopes.includes(keyScope);
}
