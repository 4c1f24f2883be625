import { createHmac, timingSafeEqual } from "node:crypto";
import { parse, stringify } from "uuid";
import type { PathPart } from "../../../contracts/entities/execution.ts";
import type { Address } from "../../../core/run/frame.ts";
import { resumeToken } from "../../../adapters/expressions/resume-token.ts";
import { keyedHash } from "../../../service-kit/keyed-hash.ts";

const IDS_BYTES = 32;
const TAG_BYTES = 32;

/** The key that signs the resume URLs of one run. Its holder can end the waits of this run only. */
export const resumeKey = (hashKey: string, { id, workspaceId }: { id: string; workspaceId: string }): string =>
  keyedHash(hashKey, "resume link", Buffer.concat([parse(workspaceId), parse(id)])).toString("hex");

/** The address of a step that `$resumeUrl` gives in this run. `base` is the address of the service. */
export const resumeUrl = (
  { hashKey, base }: { hashKey: string; base: string },
  run: { id: string; workspaceId: string },
  { nodeId, path = [] }: Address,
): string => {
  const { id: executionId, workspaceId } = run;
  const parts = { workspaceId, executionId, key: resumeKey(hashKey, run), nodeId };
  // Items of maps may have further fields, but all tokens of one step must be equal.
  const token = resumeToken({ ...parts, path: path.map(part => ({ nodeId: part.nodeId, index: part.index })) });
  return `${base}/v1/resume/${token}`;
};

/** The run and the step that a token of `$resumeUrl` names; null when this service did not make the token. */
export function readResumeToken(
  hashKey: string,
  token: string,
): { workspaceId: string; executionId: string; at: Address } | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.toString("base64url") !== token || bytes.length <= IDS_BYTES + TAG_BYTES) return null;
  const [workspaceId, id] = [stringify(bytes.subarray(0, 16)), stringify(bytes.subarray(16, IDS_BYTES))];
  const body = bytes.subarray(0, -TAG_BYTES);
  const tag = createHmac("sha256", resumeKey(hashKey, { id, workspaceId })).update(body).digest();
  if (!timingSafeEqual(tag, bytes.subarray(-TAG_BYTES))) return null;
  const [nodeId, path] = JSON.parse(body.subarray(IDS_BYTES).toString()) as [string, PathPart[]];
  return { workspaceId, executionId: id, at: { nodeId, ...(path.length > 0 && { path }) } };
}
