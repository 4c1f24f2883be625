import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type SyntheticEvent, useRef, useState } from "react";
import type { Workflow } from "../../../sdk/definition.ts";
import { runPath } from "../../data/paths.ts";
import { problemOf } from "../../data/problem.ts";
import { exampleOf, useStartRun, workflowQuery, type WorkflowRow } from "../../data/workflows.ts";
import { inputSchemaOf, useRunInput } from "../../forms/run-input.tsx";
import { focusFault } from "../../forms/schema-form.tsx";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import forms from "../../ui/form.module.css";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ProblemNotice } from "../../ui/states.tsx";

const { input: label, inputHint: hint, inputBad: bad } = m.workflows;

interface RunFormProps {
  row: WorkflowRow;
  /** Undefined if it could not be read. Then only the service checks the input. */
  workflow: Workflow | undefined;
  onClose: () => void;
}

function RunForm({ row, workflow, onClose }: RunFormProps) {
  const { id: workspaceId, slug } = useWorkspace();
  const [tried, setTried] = useState(false);
  const start = useStartRun(workspaceId);
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const { error } = start;
  const { given, part, tells } = useRunInput({
    ...{ of: row.id, schema: inputSchemaOf(workflow?.definition), example: workflow && exampleOf(workflow) },
    ...{ tried, error, words: { label, hint, bad }, rows: 6 },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (!given) return void requestAnimationFrame(() => focusFault(form.current));
    start.mutate(
      { workflow: row, input: given.value },
      {
        onSuccess: run => {
          onClose();
          void navigate({ to: runPath(slug, run) });
        },
      },
    );
  };
  return (
    <form ref={form} className={forms.form} noValidate onSubmit={submit}>
      {error && !tells ? <ProblemNotice problem={problemOf(error)} /> : null}
      {part}
      <StartButton busy={start.isPending} onClose={onClose} />
    </form>
  );
}

const StartButton = ({ busy, onClose }: { busy: boolean; onClose: () => void }) => (
  <DialogFooter>
    <Button onClick={onClose}>{m.cancel}</Button>
    <Button tone="primary" type="submit" busy={busy}>
      {m.workflows.start}
    </Button>
  </DialogFooter>
);

/** Starts a run. The input starts with the example of the workflow's author. */
export function RunDialog({ workflow, onClose }: { workflow: WorkflowRow | undefined; onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const { data, error } = useQuery({
    ...workflowQuery(workspaceId, workflow ?? { id: "", spaceId: "" }),
    enabled: workflow !== undefined,
  });
  const isReady = data !== undefined || error !== null;
  return (
    <Dialog
      open={workflow !== undefined}
      onClose={onClose}
      title={m.workflows.runTitle(workflow?.name ?? "")}
      description={workflow?.description || undefined}
    >
      {workflow && isReady ? (
        <RunForm key={workflow.id} row={workflow} workflow={data} onClose={onClose} />
      ) : (
        <Skeleton width={240} />
      )}
    </Dialog>
  );
}
