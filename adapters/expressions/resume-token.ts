import { createHmac } from "node:crypto";
import type { PathPart } from "../../contracts/entities/execution.ts";

export interface ResumeTokenParts {
  workspaceId: string;
  executionId: string;
  /** The key of the run, which signs its tokens. */
  key: string;
  nodeId: string;
  path: readonly PathPart[];
}

/**
 * The token in the address that ends the wait of a step when it is called. The key of the run makes the tag at its end.
 */
export function resumeToken({ workspaceId, executionId, key, nodeId, path }: ResumeTokenParts): string {
  const ids = [workspaceId, executionId].map(id => Buffer.from(id.replaceAll("-", ""), "hex"));
  const named = Buffer.from(JSON.stringify([nodeId, path]));
  const body = Buffer.concat([...ids, named]);
  const tag = createHmac("sha256", key).update(body).digest();
  return Buffer.concat([body, tag]).toString("base64url");
}
