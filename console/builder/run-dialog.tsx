import { type KeyboardEvent, type SyntheticEvent, useRef, useState } from "react";
import type { Execution } from "../../sdk/definition.ts";
import type { WorkflowAddress } from "../data/builder.ts";
import { faultAt, problemOf } from "../data/problem.ts";
import { exampleOf, useStartRun } from "../data/workflows.ts";
import { faultsOf } from "../forms/check.ts";
import { fieldOf, isRecord, type Schema } from "../forms/schema.ts";
import { SchemaForm } from "../forms/schema-form.tsx";
import { initialOf } from "../forms/values.ts";
import { m } from "../messages/index.ts";
import { words } from "../messages/en-builder.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogEnds } from "../ui/dialog.tsx";
import { TextArea } from "../ui/field.tsx";
import { ProblemNotice } from "../ui/states.tsx";
import styles from "./builder-parts.module.css";
import { valueAt } from "./document/index.ts";
import type { Scene } from "./scene.ts";

interface RunDialogProps {
  at: WorkflowAddress;
  scene: Scene;
  last: Execution | undefined;
  /** Saves what is edited, since a run takes a version. */
  save: () => Promise<boolean>;
  onStarted: (runId: string) => void;
  onClose: () => void;
}

function parsed(text: string): { value: unknown } | undefined {
  if (text.trim() === "") return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Saves and starts a run, with a form for the workflow's input schema, or with JSON. */
export function RunDialog({ at, scene, last, save, onStarted, onClose }: RunDialogProps) {
  const definition = scene.doc.toDefinition();
  const schema = valueAt(definition, "/settings/inputSchema");
  const field = isRecord(schema) ? fieldOf(schema) : undefined;
  const example = exampleOf({ definition }) ?? last?.input ?? undefined;
  const [value, setValue] = useState<unknown>(() => (field ? (example ?? initialOf(field)) : undefined));
  const [text, setText] = useState(() => (example === undefined ? "" : JSON.stringify(example, null, 2)));
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const start = useStartRun(at.workspaceId);
  const faults = field && tried ? faultsOf(schema as Schema, value) : new Map<string, string>();
  const typed = parsed(text);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (field ? faultsOf(schema as Schema, value).size > 0 : !typed) return;
    setSaving(true);
    const saved = await save();
    setSaving(false);
    // A conflict, or a failed save, is shown by the page itself.
    if (!saved) return onClose();
    start.mutate(
      { workflow: at, input: field ? value : typed!.value },
      {
        onSuccess(run) {
          onStarted(run.id);
          onClose();
          scene.focus();
        },
      },
    );
  };
  const { error } = start;
  const run = useRef<HTMLButtonElement>(null);
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  const fault = error ? (faultAt(error, "/input") ?? faultAt(error, "")) : undefined;
  return (
    // Where there is something to begin with, Enter starts the run at once.
    <Dialog open onClose={onClose} title={words.run} {...(!field && text !== "" && { focusOn: run })}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys come from the fields inside */}
      <form className={styles.form} onSubmit={event => void submit(event)} onKeyDown={onKeyDown}>
        {error && fault === undefined ? <ProblemNotice problem={problemOf(error)} /> : null}
        {field ? (
          <SchemaForm field={field} value={value} onChange={setValue} faults={faults} />
        ) : (
          <TextArea
            code
            label={words.inputOfRun}
            hint={m.workflows.inputHint}
            error={fault ?? (tried && !typed ? m.workflows.inputBad : undefined)}
            rows={Math.min(16, Math.max(6, text.split("\n").length + 1))}
            spellCheck={false}
            value={text}
            onChange={event => setText(event.target.value)}
          />
        )}
        <DialogEnds>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button ref={run} tone="primary" type="submit" busy={saving || start.isPending}>
            {words.run}
          </Button>
        </DialogEnds>
      </form>
    </Dialog>
  );
}
