import { callerOf, type Meta } from "../contracts/call.ts";
import type { StartedByKey } from "../contracts/entities/execution.ts";

/** The user who starts a run, and the API key that does it in the user's name. */
export function starterOf(ctx: { meta: Meta }): { startedBy: string; startedByKey?: StartedByKey } {
  const who = callerOf(ctx);
  if (who.kind !== "apiKey") return { startedBy: who.userId };
  const { userId: startedBy, keyId: id, keyName: name } = who;
  return { startedBy, startedByKey: { id, ...(name !== undefined && { name }) } };
}
