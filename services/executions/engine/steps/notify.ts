import { createHash } from "node:crypto";
import { call } from "../../../../contracts/call.ts";
import { executionLink } from "../../store/present.ts";
import { callFailed } from "./call-failure.ts";
import { done, idempotencyKey, type Perform } from "./step.ts";

/** Sends a notification to members of the workspace, once for all attempts of the step. */
export const notify: Perform<"notify"> = async ({ title, body, userIds, role }, { doc, at, dry, parts }) => {
  const key = createHash("sha256").update(idempotencyKey(doc, at)).digest("hex");
  const to = { ...(userIds && { userIds }), ...(role && { role }) };
  if (dry === "all") return done({ notified: 0, to });
  const { workspaceId } = doc;
  try {
    const notice = {
      key: `notify:${key}`,
      workspaceId,
      type: "message" as const,
      title,
      body,
      link: executionLink(doc),
      to,
    };
    const { notified } = await call(parts.broker, "notifications.notify", notice);
    return { kind: "done", output: { notified } };
  } catch (error) {
    return callFailed(error, "The notification service");
  }
};
