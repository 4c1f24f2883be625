import { useSyncExternalStore } from "react";
import { weft } from "./client.ts";
import { onSession, sessionNow, setUser } from "./session.ts";

/** How a user wants the page to look. It is stored in the profile, and in this browser for the first paint. */
export interface Preferences {
  theme: "system" | "light" | "dark";
  density: "compact" | "normal" | "roomy";
  motion: "system" | "none";
  /** Single-letter keys. WCAG 2.1.4 asks for a way to turn them off. */
  keys: "on" | "off";
}

const DEFAULTS: Preferences = { theme: "system", density: "normal", motion: "system", keys: "on" };
/** `early.js` reads this key. */
const KEPT = "weft:look";

function read(): Preferences {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Partial<Preferences>;
    return Object.assign({}, DEFAULTS, kept);
  } catch {
    return DEFAULTS;
  }
}

let current = read();
const listeners = new Set<() => void>();

function apply(next: Preferences): void {
  current = next;
  localStorage.setItem(KEPT, JSON.stringify(next));
  const { dataset } = document.documentElement;
  for (const [name, value] of Object.entries({ ...next })) {
    if (value === DEFAULTS[name as keyof Preferences]) Reflect.deleteProperty(dataset, name);
    else dataset[name] = value;
  }
  for (const listener of listeners) listener();
}

// The profile wins over what this browser has stored, so that a choice applies in every browser of the user.
onSession(() => {
  const session = sessionNow();
  if (session.status !== "in") return;
  const console = session.user.preferences.console as Partial<Preferences> | undefined;
  const next = { ...current, ...console };
  if (JSON.stringify(next) !== JSON.stringify(current)) apply(next);
});

export const preferencesNow = (): Preferences => current;

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** Applies a choice at once and stores it in the profile. */
export async function choose(change: Partial<Preferences>): Promise<void> {
  apply({ ...current, ...change });
  const session = sessionNow();
  if (session.status !== "in") return;
  const preferences = { ...session.user.preferences, console: current };
  setUser({ ...session.user, preferences });
  await weft.identity.updateMe({ preferences });
}
