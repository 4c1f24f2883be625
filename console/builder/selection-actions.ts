import { words } from "../messages/en-builder.ts";
import { copy } from "../ui/copy.ts";
import { removeSelected, toggleDisabled } from "./actions.ts";
import { copied, cut, duplicate } from "./clipboard.ts";
import { tidySteps } from "./layout.ts";
import type { Scene } from "./scene.ts";

/** Something that can be done with the selected steps: what it is called, its keys, and what it does. */
export type SelectionAction = readonly [title: string, keys: string, act: () => void];

const write = (text: string | undefined) => void (text !== undefined && copy(text));

/** What can be done with the selected steps, one or many. All but `copy` change the workflow. */
export const selectionActions = (scene: Scene, workspaceId: string) =>
  ({
    copy: [words.copy, "mod c", () => write(copied(scene, workspaceId))],
    cut: [words.cut, "mod x", () => write(cut(scene, workspaceId))],
    duplicate: [words.duplicate, "mod d", () => duplicate(scene)],
    disable: [words.disable, "d", () => toggleDisabled(scene)],
    extract: [words.extract, "shift e", () => scene.set({ prompt: { kind: "extract" } })],
    tidy: [words.tidy, "shift t", () => void tidySteps(scene)],
    remove: [words.remove, "del", () => removeSelected(scene)],
  }) as const satisfies Record<string, SelectionAction>;
