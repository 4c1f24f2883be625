import { call } from "../../../../contracts/call.ts";
import type { DataOf } from "../../../../core/graph/node-types.ts";
import { timeOfId } from "../../../../core/id-time.ts";
import { derivedId } from "../../../../service-kit/derived-id.ts";
import { callFailed } from "./call-failure.ts";
import { memorySubjectOf, NO_SUBJECT } from "./memory-subject.ts";
import { done, failed, idempotencyKey, type Perform, type StepContext, timeoutOf } from "./step.ts";

type Data = DataOf<"memory">;

/** The result of a trial of the step. A trial stores no memories. */
const unwritten = (data: Exclude<Data, { action: "search" }>, sessionId: string) =>
  data.action === "ingest" ? { memoriesCreated: 0, memoriesUpdated: 0, sessionId, memories: [] } : { ...data };

interface About {
  userId: string;
  sessionId: string;
}

function carryOut(data: Data, { doc, policy, parts }: StepContext, about: About): Promise<unknown> {
  const step = { workspaceId: doc.workspaceId, actorId: doc.startedBy, ...about };
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

/** Searches the memories of a user, or stores new ones. All attempts together store them once. */
export const memory: Perform<"memory"> = async (data, context) => {
  const { doc, at, dry } = context;
  const userId = memorySubjectOf(doc, data.userId);
  if (userId === undefined) return failed("invalid_data", `/data/userId: ${NO_SUBJECT}`, false);
  const sessionId = derivedId(timeOfId(doc.id), `memory ${idempotencyKey(doc, at)}`);
  if (dry && data.action !== "search") return done(unwritten(data, sessionId));
  try {
    return done(await carryOut(data, context, { userId, sessionId }));
  } catch (error) {
    return callFailed(error, "The memory service");
  }
};
