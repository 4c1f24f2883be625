/** Text that a user has typed but not sent. It is stored in this browser under the user's id. */
const PREFIX = "weft:draft:";

const nameOf = (userId: string, key: string) => `${PREFIX}${userId}:${key}`;

/** Returns undefined if there is no draft, or the browser does not allow storage. */
export function readDraft(userId: string, key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(nameOf(userId, key)) ?? "") as unknown;
  } catch {
    return undefined;
  }
}

/** Returns false if the browser refuses to store the draft. */
export function keepDraft(userId: string, key: string, value: unknown): boolean {
  try {
    localStorage.setItem(nameOf(userId, key), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const dropDraft = (userId: string, key: string): void => localStorage.removeItem(nameOf(userId, key));

/** The keys of a user's drafts that begin with `prefix`. */
export function draftKeys(userId: string, prefix = ""): string[] {
  const start = nameOf(userId, "");
  const keys = Object.keys(localStorage).filter(name => name.startsWith(start + prefix));
  return keys.map(name => name.slice(start.length));
}
