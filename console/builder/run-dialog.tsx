import { type KeyboardEvent, type SyntheticEvent, useRef, useState } from "react";
import type { Execution } from "../../sdk/definition.ts";
import type { WorkflowAddress } from "../data/builder.ts";
import { problemOf } from "../data/problem.ts";
import { exampleOf, useStartRun } from "../data/workflows.ts";
import { inputSchemaOf, useRunInput } from "../forms/run-input.tsx";
import { m } from "../messages/index.ts";
import { words } from "../messages/en-builder.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { Notice, ProblemNotice } from "../ui/states.tsx";
import styles from "./builder-parts.module.css";
import type { Scene } from "./scene.ts";
import type { FoundFault } from "./use-check.ts";

interface RunDialogProps {
  at: WorkflowAddress;
  scene: Scene;
  faults: readonly FoundFault[];
  last: Execution | undefined;
  /** Saves the changes, because a run needs a version. */
  save: () => Promise<boolean>;
  onStarted: (runId: string) => void;
  onClose: () => void;
}

/** Saves and starts a run. The input is a form for the workflow's input schema, or JSON. */
export function RunDialog({ at, scene, faults, last, save, onStarted, onClose }: RunDialogProps) {
  const definition = scene.doc.toDefinition();
  const schema = inputSchemaOf(definition);
  const example = exampleOf({ definition }) ?? last?.input ?? undefined;
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const start = useStartRun(at.workspaceId);
  const { error } = start;
  const { given, part, tells } = useRunInput({
    ...{ of: at.id, schema, example, tried, error, rows: 6 },
    words: { label: words.inputOfRun, hint: m.workflows.inputHint, bad: m.workflows.inputBad },
  });
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (!given) return;
    setSaving(true);
    const saved = await save();
    setSaving(false);
    // The page itself shows a conflict or a failed save.
    if (!saved) return onClose();
    start.mutate(
      { workflow: at, input: given.value },
      {
        onSuccess(run) {
          onStarted(run.id);
          onClose();
          scene.focus();
        },
      },
    );
  };
  const run = useRef<HTMLButtonElement>(null);
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    // If the dialog opens with an input, Enter starts the run at once.
    <Dialog open onClose={onClose} title={words.run} {...(!schema && example !== undefined && { focusOn: run })}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys come from the fields inside */}
      <form className={styles.form} onSubmit={event => void submit(event)} onKeyDown={onKeyDown}>
        {error && !tells ? <ProblemNotice problem={problemOf(error)} /> : null}
        {faults.length > 0 && !error ? <Notice tone="warn">{words.deployFaults(faults.length)}</Notice> : null}
        {part}
        <DialogFooter>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button
            ref={run}
            tone="primary"
            type="submit"
            data-pulse={!last || undefined}
            busy={saving || start.isPending}
          >
            {words.run}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
