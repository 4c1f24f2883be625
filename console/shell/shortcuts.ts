import { useEffect, useRef, useSyncExternalStore } from "react";
import { preferencesNow } from "../data/preferences.ts";
import { goToRow } from "./row-keys.ts";

/** A command of the page, which the palette and its keys run. */
export interface Command {
  id: string;
  title: string;
  /** `mod k`, `mod shift z`, `?`, or a sequence of two letters such as `g r`. */
  keys?: string;
  /** Further words that the palette searches. */
  words?: string;
  run: () => void;
}

const SEQUENCE_MS = 1_200;
const registered = new Set<{ current: readonly Command[] }>();
const listeners = new Set<() => void>();
let snapshot: readonly Command[] = [];

function changed(): void {
  snapshot = [...registered].flatMap(({ current }) => current);
  for (const listener of listeners) listener();
}

/** Registers commands while the component is mounted. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  const ids = commands.map(({ id, title }) => `${id}\0${title}`).join("\n");
  useEffect(() => {
    registered.add(latest);
    changed();
    return () => {
      registered.delete(latest);
      changed();
    };
  }, [ids]);
}

export const useAllCommands = (): readonly Command[] =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => snapshot,
  );

/** Keys that a page handles itself, for the list of all keys. */
export interface KeyList {
  title: string;
  /** Keys in the notation of commands, each with its description. */
  rows: readonly (readonly [keys: string, does: string])[];
}

/** Loads a list when it is shown. */
type ReadKeys = () => Promise<KeyList>;
const keyLists = new Set<ReadKeys>();

/** Adds keys to the list of all keys while the component is mounted. `read` must stay the same function. */
export function useKeyList(read: ReadKeys): void {
  useEffect(() => {
    keyLists.add(read);
    return () => void keyLists.delete(read);
  }, [read]);
}

/** The key lists of all mounted components. */
export const readKeyLists = (): Promise<readonly KeyList[]> => Promise.all([...keyLists].map(read => read()));

/** Whether a key press belongs to a field, or to something that floats above the page. */
export function isTaken({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest(
      "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable], [data-editor], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]",
    ) !== null
  );
}

const keyOf = (event: KeyboardEvent): string => {
  const mod = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (!mod) return key;
  // Some keyboards need Shift for the slash.
  return event.shiftKey && key !== "/" ? `mod shift ${key}` : `mod ${key}`;
};

let before: { key: string; at: number } | undefined;

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const key = keyOf(event);
  const isLetter = !key.startsWith("mod ") && !/^f\d+$/.test(key);
  if (isLetter && (isTaken(event) || preferencesNow().keys === "off")) return;
  const sequence = before && Date.now() - before.at < SEQUENCE_MS ? `${before.key} ${key}` : undefined;
  before = isLetter ? { key, at: Date.now() } : undefined;
  const all = [...registered].flatMap(({ current }) => current);
  // Without a first letter there is no sequence. It must not match commands without keys.
  const bySequence = sequence === undefined ? undefined : all.findLast(({ keys }) => keys === sequence);
  const found = bySequence ?? all.findLast(({ keys }) => keys === key);
  if (!found) {
    if ((key === "j" || key === "k") && goToRow(key === "j" ? 1 : -1)) event.preventDefault();
    return;
  }
  event.preventDefault();
  before = undefined;
  found.run();
}

/** Listens for the keys of all commands. The frame calls it once. */
export function useShortcutKeys(): void {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
