import { call } from "../../../../contracts/call.ts";
import { type ErrorData, errorCode } from "../../../../contracts/errors.ts";
import type { DataOf } from "../../../../core/graph/node-types.ts";
import { timeOfId } from "../../../../core/id-time.ts";
import { derivedId } from "../../../../mixins/derived-id.ts";
import { done, failed, idempotencyKey, type Perform, type StepContext, timeoutOf } from "./step.ts";

type Data = DataOf<"memory">;

/** What a trial of the step gives, which remembers nothing. */
const unwritten = (data: Exclude<Data, { action: "search" }>, sessionId: string) =>
  data.action === "ingest" ? { memoriesCreated: 0, memoriesUpdated: 0, sessionId, memories: [] } : { ...data };

function carryOut(data: Data, { doc, policy, parts }: StepContext, sessionId: string): Promise<unknown> {
  const step = { workspaceId: doc.workspaceId, userId: data.userId ?? doc.startedBy, sessionId };
  const options = { timeout: timeoutOf(policy) };
  switch (data.action) {
    case "search": {
      const { action, ...question } = data;
      return call(parts.broker, `memory.steps.${action}`, { ...question, ...step }, options);
    }
    case "ingest": {
      const { action, ...text } = data;
      return call(parts.broker, `memory.steps.${action}`, { ...text, ...step }, options);
    }
    case "add": {
      const { action, ...statement } = data;
      return call(parts.broker, `memory.steps.${action}`, { ...statement, ...step }, options);
    }
  }
}

/** Searches what is remembered of a user, or remembers: once, however often the step is tried. */
export const memory: Perform<"memory"> = async (data, context) => {
  const { doc, at, dry } = context;
  const sessionId = derivedId(timeOfId(doc.id), `memory ${idempotencyKey(doc, at)}`);
  if (dry && data.action !== "search") return done(unwritten(data, sessionId));
  try {
    return done(await carryOut(data, context, sessionId));
  } catch (error) {
    switch (errorCode(error)) {
      case "validation_failed": {
        const [fault] = (error as { data?: ErrorData }).data?.errors ?? [];
        return failed("invalid_data", fault ? `data.${fault.path}: ${fault.message}` : "The data is not valid.", false);
      }
      case "limit_reached":
        return failed("limit_reached", (error as Error).message, false);
      default:
        return failed("unavailable", "The memories cannot be reached at the moment.");
    }
  }
};
