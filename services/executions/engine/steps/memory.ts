import { call } from "../../../../contracts/call.ts";
import type { DataOf } from "../../../../core/graph/node-types.ts";
import { timeOfId } from "../../../../core/id-time.ts";
import { derivedId } from "../../../../service-kit/derived-id.ts";
import { callFailed } from "./call-failure.ts";
import { done, failed, idempotencyKey, type Perform, type StepContext, timeoutOf } from "./step.ts";

/**
 * The subject of a step's memories: the one that the step names, else the user who started the run. It is undefined
 * below a schedule or webhook. Such a run serves other people than the user who created it, so it must not read that
 * user's memories.
 */
export const memorySubjectOf = (doc: StepContext["doc"], named: string | undefined): string | undefined =>
  named ?? (doc.deployed ? undefined : doc.startedBy);

export const NO_SUBJECT =
  "Required: this run was started by a schedule or webhook, so it has no user whose memories it could use";

type Data = DataOf<"memory">;

/** The result in a test run, which stores no memories. */
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

/** Searches the memories of a subject, or stores new ones. All attempts together store them once. */
export const memory: Perform<"memory"> = async (data, context) => {
  const { doc, at, dry } = context;
  const userId = memorySubjectOf(doc, data.userId);
  if (userId === undefined) return failed("invalid_data", `/data/userId: ${NO_SUBJECT}`, false);
  const sessionId = derivedId(timeOfId(doc.id), `memory ${idempotencyKey(doc, at)}`);
  if (dry === "all" && data.action !== "search") return done(unwritten(data, sessionId));
  try {
    return done(await carryOut(data, context, { userId, sessionId }));
  } catch (error) {
    return callFailed(error, "The memory service");
  }
};
