import { useState } from "react";
import type { Run } from "../../data/runs.ts";
import { currentRow } from "../../shell/row-keys.ts";
import { useCommands } from "../../shell/shortcuts.ts";
import { m } from "../../messages/index.ts";

export interface SelectedRuns {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** The selected rows. The key `x` selects the row that has the focus. */
export function useSelectedRuns(runs: readonly Run[]): SelectedRuns {
  const [ids, setIds] = useState(NONE);
  const toggle = (id: string) =>
    setIds(before => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  useCommands([
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
