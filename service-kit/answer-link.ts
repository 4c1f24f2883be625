import { timingSafeEqual } from "node:crypto";
import { parse, stringify } from "uuid";
import { keyedHash } from "./keyed-hash.ts";
import { publicUrl } from "./public-url.ts";

/** The question that a link answers, and for whom. */
export interface AnswerLink {
  workspaceId: string;
  executionId: string;
  nodeId: string;
  /** The items of maps, outermost first. */
  path: readonly { nodeId: string; index: number }[];
  /** The attempt that asks. The link becomes invalid with the question of this attempt. */
  attempt: number;
  /** The id of a member, or the e-mail address of a person without an account. */
  to: string;
}

export type AskedAt = Omit<AnswerLink, "to">;

const IDS_BYTES = 32;
const TAG_BYTES = 32;
/** After the `#`, so that it appears neither in logs nor in referrers. */
const PAGE = "/a/link#";

const tagOf = (key: string, body: Uint8Array) => keyedHash(key, "answer link", body);

/**
 * The token of a link. The store contains nothing that opens the link, and any worker can compute the same token again.
 */
export function makeAnswerToken(
  key: string,
  { workspaceId, executionId, nodeId, path, attempt, to }: AnswerLink,
): string {
  const text = JSON.stringify([nodeId, path, attempt, to]);
  const body = Buffer.concat([parse(workspaceId), parse(executionId), Buffer.from(text)]);
  return Buffer.concat([body, tagOf(key, body)]).toString("base64url");
}

export const answerUrl = (key: string, link: AnswerLink): string => publicUrl() + PAGE + makeAnswerToken(key, link);

/** The content of a token; null if this service did not create it. */
export function readAnswerToken(key: string, token: string): AnswerLink | null {
  const bytes = Buffer.from(token, "base64url");
  // Only the canonical encoding is accepted, because decoding ignores characters that are not base64url.
  if (bytes.toString("base64url") !== token || bytes.length <= IDS_BYTES + TAG_BYTES) return null;
  const body = bytes.subarray(0, -TAG_BYTES);
  if (!timingSafeEqual(tagOf(key, body), bytes.subarray(-TAG_BYTES))) return null;
  const text = body.subarray(IDS_BYTES).toString();
  const [nodeId, path, attempt, to] = JSON.parse(text) as [string, AnswerLink["path"], number, string];
  const [workspaceId, executionId] = [stringify(body.subarray(0, 16)), stringify(body.subarray(16, IDS_BYTES))];
  return { workspaceId, executionId, nodeId, path, attempt, to };
}
