import { isRecord } from "../../../data/json.ts";
import { words } from "../../../messages/en-builder.ts";
import type { Command } from "../history.ts";
import { withValueAt } from "../pointer.ts";
import type { DocumentState, Meta } from "../state.ts";

export function withRootValue(state: DocumentState, pointer: string, value: unknown): DocumentState {
  const root = isRecord(state.root) ? state.root : {};
  const next = withValueAt(root, pointer, value);
  return next === root ? state : { ...state, root: next };
}

/** Sets the value at a JSON Pointer below `settings`, such as `/timeoutMs`. Empty settings are removed. */
export const setSetting = (pointer: string, value: unknown): Command => ({
  label: words.command.setting,
  merge: `settings ${pointer}`,
  apply(state) {
    const next = withRootValue(state, `/settings${pointer}`, value);
    const { settings } = isRecord(next.root) ? next.root : {};
    const empty = value === undefined && isRecord(settings) && Object.keys(settings).length === 0;
    return empty ? withRootValue(next, "/settings", undefined) : next;
  },
});

export const setMeta = (meta: Partial<Meta>): Command => ({
  label: meta.name === undefined ? words.command.description : words.command.rename(meta.name),
  merge: `meta ${Object.keys(meta).join()}`,
  apply: state =>
    Object.entries(meta).every(([key, value]) => state.meta[key as keyof Meta] === value)
      ? state
      : { ...state, meta: { ...state.meta, ...meta } },
});
