import { call } from "../../../../contracts/call.ts";
import { errorCode } from "../../../../contracts/errors.ts";
import { callFailed } from "./call-failure.ts";
import { done, failed, type Perform, timeoutOf } from "./step.ts";

/** Searches a knowledge base. Returns the passages that match the question best, with their sources. */
export const retriever: Perform<"retriever"> = async ({ knowledgeBaseId, query, topK, filter }, context) => {
  const { doc, parts, policy } = context;
  const question = { knowledgeBaseId, query, limit: topK, ...(filter && { filter }) };
  try {
    const options = { timeout: timeoutOf(policy) };
    const { matches } = await call(
      parts.broker,
      "knowledge.retrieve",
      { workspaceId: doc.workspaceId, ...question },
      options,
    );
    return done({ matches });
  } catch (error) {
    switch (errorCode(error)) {
      case "not_found":
        return failed("knowledge_base_not_found", `There is no knowledge base ${knowledgeBaseId}.`, false);
      case "validation_failed":
        return failed("invalid_data", `/data/filter: ${(error as Error).message}`, false);
      default:
        return callFailed(error, "The knowledge service");
    }
  }
};
