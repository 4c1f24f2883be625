import type { SessionDoc } from "./model.ts";
import { refreshTokenHash, successorOf } from "./refresh-token.ts";

/**
 * How long a replaced token still yields the current one. A lost answer, or two tabs that refresh at once, then sign no
 * user out.
 */
export const GRACE_MS = 30_000;
/** Bounds what a session stores. No client refreshes so often within the grace period. */
const MAX_REPLACED = 10;

type Kept = Pick<SessionDoc, "id" | "refreshHash" | "replacedAt">;

export interface Standing {
  /** The current token. */
  current: string;
  /** How many times the given token has been replaced since: 0 for the current one. */
  behind: number;
}

/** The position of a token in the chain of its session's tokens; null when it is older than the session remembers. */
export function standingOf(key: string, session: Kept, token: string): Standing | null {
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
 * cut off.
 */
export function replacedNow({ replacedAt = [] }: Kept, now: Date): string[] {
  const first = replacedAt.findIndex(time => isRecent(time, now));
  const recent = first < 0 ? [] : replacedAt.slice(first);
  return [...recent, now.toISOString()].slice(-MAX_REPLACED);
}
