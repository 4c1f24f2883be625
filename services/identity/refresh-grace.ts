import type { SessionDoc } from "./model.ts";
import { refreshTokenHash, successorOf } from "./refresh-token.ts";

/**
 * How long a replaced token still returns the current one. So a lost response, or two tabs that refresh at the same
 * time, sign no user out.
 */
export const GRACE_MS = 30_000;
/** Limits what a session stores. Clients refresh less often within the grace period. */
const MAX_REPLACED = 10;

type Kept = Pick<SessionDoc, "id" | "refreshHash" | "replacedAt">;

export interface TokenPosition {
  /** The current token. */
  current: string;
  /** How many times the given token has been replaced since; 0 for the current one. */
  behind: number;
}

/** The position of a token in the chain of its session's tokens; null if it is older than the session remembers. */
export function tokenPositionOf(key: string, session: Kept, token: string): TokenPosition | null {
  let current = token;
  for (let behind = 0; behind <= (session.replacedAt?.length ?? 0); behind++) {
    if (refreshTokenHash(key, current) === session.refreshHash) return { current, behind };
    current = successorOf(key, session.id, current);
  }
  return null;
}

const isRecent = (time: string, now: Date, graceMs = GRACE_MS) => now.getTime() - Date.parse(time) <= graceMs;

/** Whether a token that was replaced this many times is still accepted. */
export function isInGrace({ replacedAt = [] }: Kept, behind: number, now: Date, graceMs = GRACE_MS): boolean {
  const time = replacedAt.at(-behind);
  return time !== undefined && isRecent(time, now, graceMs);
}

/**
 * The session's `replacedAt` after its token is replaced now. Clocks of nodes differ, so only the oldest entries are
 * removed.
 */
export function replacedNow({ replacedAt = [] }: Kept, now: Date): string[] {
  const first = replacedAt.findIndex(time => isRecent(time, now));
  const recent = first < 0 ? [] : replacedAt.slice(first);
  return [...recent, now.toISOString()].slice(-MAX_REPLACED);
}
