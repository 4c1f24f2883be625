import { id } from "../../../contracts/primitives.ts";
import type { McpSession } from "./session.ts";

/** The fields by which tools name a run. */
export const runPlace = {
  executionId: id,
  spaceId: id.optional().meta({ description: "the space that it is in; found by itself where absent" }),
};

/**
 * The run that a call names, as the input of actions.
 * @throws {AppError} not_found when there is no such run
 */
export async function placeOf(
  session: McpSession,
  { executionId, spaceId }: { executionId: string; spaceId?: string | undefined },
): Promise<{ spaceId: string; id: string }> {
  if (spaceId !== undefined) return { spaceId, id: executionId };
  return { ...(await session.act("executions.locate", { id: executionId })), id: executionId };
}
