import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import { runPath } from "../../data/paths.ts";
import { faultAt, problemOf } from "../../data/problem.ts";
import { exampleOf, useStartRun, workflowQuery, type WorkflowRow } from "../../data/workflows.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogEnds } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/field.tsx";
import forms from "../../ui/form.module.css";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ProblemNotice } from "../../ui/states.tsx";

const textOf = (value: unknown) => (value === undefined ? "" : JSON.stringify(value, null, 2));

function parsed(text: string): { value: unknown } | null {
  if (text.trim() === "") return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

function RunForm({ workflow, example, onClose }: { workflow: WorkflowRow; example: unknown; onClose: () => void }) {
  const { id: workspaceId, slug } = useWorkspace();
  const [text, setText] = useState(() => textOf(example));
  const [tried, setTried] = useState(false);
  const start = useStartRun(workspaceId);
  const navigate = useNavigate();
  const input = parsed(text);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (!input) return;
    start.mutate(
      { workflow, input: input.value },
      {
        onSuccess: run => {
          onClose();
          void navigate({ to: runPath(slug, run) });
        },
      },
    );
  };
  const { error } = start;
  const fault = error ? (faultAt(error, "/input") ?? faultAt(error, "")) : undefined;
  return (
    <form className={forms.form} onSubmit={submit}>
      {error && fault === undefined ? <ProblemNotice problem={problemOf(error)} /> : null}
      <TextArea
        code
        label={m.workflows.input}
        hint={m.workflows.inputHint}
        error={fault ?? (tried && !input ? m.workflows.inputBad : undefined)}
        rows={Math.min(16, Math.max(6, text.split("\n").length + 1))}
        spellCheck={false}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <StartButton busy={start.isPending} onClose={onClose} />
    </form>
  );
}

const StartButton = ({ busy, onClose }: { busy: boolean; onClose: () => void }) => (
  <DialogEnds>
    <Button onClick={onClose}>{m.cancel}</Button>
    <Button tone="primary" type="submit" busy={busy}>
      {m.workflows.start}
    </Button>
  </DialogEnds>
);

/** Starts a run, with the example that the workflow's author left as its input. */
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
        <RunForm key={workflow.id} workflow={workflow} example={data && exampleOf(data)} onClose={onClose} />
      ) : (
        <Skeleton width={240} />
      )}
    </Dialog>
  );
}
