/** What a person has typed and not sent yet. It stays in this browser, under the person's id. */
const PREFIX = "weft:draft:";

const nameOf = (userId: string, key: string) => `${PREFIX}${userId}:${key}`;

/** Undefined where there is no draft, or none can be kept. */
export function readDraft(userId: string, key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(nameOf(userId, key)) ?? "") as unknown;
  } catch {
    return undefined;
  }
}

/** Returns false where the browser refuses to keep it. */
export function keepDraft(userId: string, key: string, value: unknown): boolean {
  try {
    localStorage.setItem(nameOf(userId, key), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const dropDraft = (userId: string, key: string): void => localStorage.removeItem(nameOf(userId, key));

/** The keys of a person's drafts that begin with `prefix`. */
export function draftKeys(userId: string, prefix = ""): string[] {
  const start = nameOf(userId, "");
  const keys = Object.keys(localStorage).filter(name => name.startsWith(start + prefix));
  return keys.map(name => name.slice(start.length));
}
