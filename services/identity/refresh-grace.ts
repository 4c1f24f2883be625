import type { SessionDoc } from "./model.ts";
import { refreshTokenHash, successorOf } from "./refresh-token.ts";

/** For so long a token that was replaced gives the token that is good now: two tabs, or a lost answer, sign nobody out. */
export const GRACE_MS = 30_000;
/** A bound for what a session keeps; no client refreshes so often within the grace. */
const MAX_REPLACED = 10;

type Kept = Pick<SessionDoc, "id" | "refreshHash" | "replacedAt">;

export interface Standing {
  /** The token that is good now. */
  current: string;
  /** How many times the given token was replaced since: 0 where it is the current one. */
  behind: number;
}

/** Where a token stands in the line of its session's tokens; null where it is further back than the session remembers. */
export function standingOf(key: string, session: Kept, token: string): Standing | null {
  let current = token;
  for (let behind = 0; behind <= (session.replacedAt?.length ?? 0); behind++) {
    if (refreshTokenHash(key, current) === session.refreshHash) return { current, behind };
    current = successorOf(key, session.id, current);
  }
  return null;
}

const isRecent = (time: string, now: Date) => now.getTime() - Date.parse(time) <= GRACE_MS;

/** Whether a token that was replaced this many times still counts. */
export function isInGrace({ replacedAt = [] }: Kept, behind: number, now: Date): boolean {
  const time = replacedAt.at(-behind);
  return time !== undefined && isRecent(time, now);
}

/** The session's `replacedAt` once its token is replaced now. Clocks of nodes differ, so only a beginning is cut off. */
export function replacedNow({ replacedAt = [] }: Kept, now: Date): string[] {
  const first = replacedAt.findIndex(time => isRecent(time, now));
  const recent = first < 0 ? [] : replacedAt.slice(first);
  return [...recent, now.toISOString()].slice(-MAX_REPLACED);
}
