import { useState } from "react";
import type { Run } from "../../data/runs.ts";
import { useCommands } from "../../shell/shortcuts.ts";
import { m } from "../../messages/index.ts";

const rowsOf = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[data-row]")];
const currentRow = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>("[data-row]") ?? null;

function go(step: 1 | -1): void {
  const rows = rowsOf();
  const current = currentRow();
  const next = current ? rows[rows.indexOf(current) + step] : rows[step > 0 ? 0 : rows.length - 1];
  next?.querySelector<HTMLElement>("a")?.focus();
}

export interface Marks {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Marked rows, and the keys `j`, `k` and `x` of a list whose rows have `data-row`. */
export function useMarks(runs: readonly Run[]): Marks {
  const [ids, setIds] = useState(NONE);
  const toggle = (id: string) =>
    setIds(before => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  useCommands([
    { id: "row-next", title: m.shortcut.next, keys: "j", run: () => go(1) },
    { id: "row-previous", title: m.shortcut.previous, keys: "k", run: () => go(-1) },
    {
      id: "row-mark",
      title: m.shortcut.mark,
      keys: "x",
      run() {
        const id = currentRow()?.dataset.row;
        if (id !== undefined) toggle(id);
      },
    },
  ]);
  const present = new Set(runs.filter(({ id }) => ids.has(id)).map(({ id }) => id));
  return { ids: present, toggle, clear: () => setIds(NONE) };
}
