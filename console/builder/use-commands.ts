import { words } from "../messages/en-builder.ts";
import { words as trial } from "../messages/en-trial.ts";
import { useCommands, useKeyList } from "../shell/shortcuts.ts";
import { nextInsertPosition, undoOrRedo } from "./actions.ts";
import type { Dialog, Scene } from "./scene.ts";

/** Loaded when the list of keys is opened. */
const readKeys = async () => (await import("../messages/en-builder-keys.ts")).BUILDER_KEYS;

interface Acts {
  save: () => void;
  open: (dialog: Dialog) => void;
  mayRun: boolean;
  /** Whether there are changes to save. */
  isDraft: boolean;
  /** Starts a run at a step. Undefined if that is not possible. */
  runFrom: ((id: string) => void) | undefined;
}

/** The commands of the builder that shortcuts and the command palette reach from everywhere on the page. */
export function useBuilderCommands(scene: Scene, { save, open, mayRun, isDraft, runFrom }: Acts): void {
  useKeyList(readKeys);
  useCommands([
    { id: "builder-save", title: words.save, keys: "mod s", run: save },
    {
      id: "builder-save-with",
      title: words.saveWith,
      keys: "mod shift s",
      run: () => mayRun && isDraft && open("save"),
    },
    { id: "builder-undo", title: words.undoShort, keys: "mod z", run: () => undoOrRedo(scene, "undo") },
    { id: "builder-redo", title: words.redoShort, keys: "mod shift z", run: () => undoOrRedo(scene, "redo") },
    { id: "builder-redo-y", title: words.redoShort, keys: "mod y", run: () => undoOrRedo(scene, "redo") },
    { id: "builder-run", title: words.run, keys: "mod enter", run: () => mayRun && open("run") },
    { id: "builder-trial", title: trial.title, run: () => mayRun && open("trial") },
    { id: "builder-deploy", title: words.deployNow, run: () => open("deploy") },
    {
      id: "builder-extract",
      title: words.extract,
      run: () => !scene.readOnly && scene.getView().nodes.length > 0 && scene.set({ prompt: { kind: "extract" } }),
    },
    {
      id: "builder-run-from",
      title: words.runFrom,
      keys: "mod shift enter",
      run: () => scene.getView().nodes.length === 1 && runFrom?.(scene.getView().nodes[0]!),
    },
    { id: "builder-problems", title: words.problems, keys: "f8", run: () => open("problems") },
    { id: "builder-find", title: words.finds.title, keys: "mod f", run: () => open("find") },
    {
      id: "builder-outline",
      title: words.outline,
      keys: "o",
      run: () => scene.set({ outline: !scene.getView().outline }),
    },
    {
      id: "builder-add",
      title: words.addStep,
      keys: "n",
      run: () => !scene.readOnly && scene.set({ prompt: { kind: "add", where: nextInsertPosition(scene) } }),
    },
  ]);
}
