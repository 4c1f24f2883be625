import { type SyntheticEvent, useState } from "react";
import { type Ingested, type MemoryPlace, useIngest, useIngestPreview, useRemember } from "../../data/memory.ts";
import { faultAt, problemOf } from "../../data/problem.ts";
import { words } from "../../messages/en-memory.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/field.tsx";
import forms from "../../ui/form.module.css";
import { Select } from "../../ui/select.tsx";
import { Notice, ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./memory.module.css";
import { Preview } from "./preview.tsx";

/** The result of ingesting a text: its statements, and what extracted them. */
function Outcome({ ingested, onClose }: { ingested: Ingested; onClose: () => void }) {
  const { memories, memoriesCreated, memoriesUpdated, extraction } = ingested;
  return (
    <div className={forms.form}>
      <p role="status">{memoriesCreated === 0 ? words.nothingNew : words.result(memoriesCreated, memoriesUpdated)}</p>
      {memories.length > 0 ? (
        <ul className={styles.made}>
          {memories.map(({ id, content }) => (
            <li key={id}>{content}</li>
          ))}
        </ul>
      ) : null}
      <p className={styles.hint}>{words.by(extraction.by)}</p>
      {extraction.fallback ? <Notice tone="warn">{words.fallback(extraction.fallback)}</Notice> : null}
      <DialogFooter>
        <Button tone="primary" onClick={onClose}>
          {m.close}
        </Button>
      </DialogFooter>
    </div>
  );
}

interface RememberDialogProps {
  /** `ingest` extracts statements from a text. `add` stores one statement word for word. */
  what: "ingest" | "add";
  place: MemoryPlace;
  onClose: () => void;
}

/** Ingests a text about a person, or stores a statement. */
export function RememberDialog({ what, place, onClose }: RememberDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const ingest = useIngest(workspaceId);
  const preview = useIngestPreview(workspaceId);
  const remember = useRemember(workspaceId);
  const [content, setContent] = useState("");
  const [factType, setFactType] = useState("fact");
  const isText = what === "ingest";
  const error = isText ? (ingest.error ?? preview.error) : remember.error;
  const fault = faultAt(error, "/content");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isText) return ingest.mutate({ content, ...place });
    const onSuccess = () => {
      toast.done(words.added);
      onClose();
    };
    remember.mutate({ content, factType, ...place }, { onSuccess });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={isText ? words.ingest : words.addTitle}
      description={isText ? words.ingestLead : words.addLead}
    >
      {ingest.data ? (
        <Outcome ingested={ingest.data} onClose={onClose} />
      ) : (
        <form className={forms.form} onSubmit={submit}>
          {error && !fault ? <ProblemNotice problem={problemOf(error)} /> : null}
          {preview.data ? (
            <Preview preview={preview.data} />
          ) : (
            <TextArea
              label={isText ? words.text : words.statement}
              hint={isText ? words.textHint : undefined}
              required
              rows={isText ? 8 : 3}
              maxLength={isText ? 100_000 : 10_000}
              value={content}
              error={fault}
              onChange={event => setContent(event.target.value)}
            />
          )}
          {place.threadId === undefined ? null : <p className={styles.hint}>{words.holdsInThread(place.threadId)}</p>}
          {place.workflowId === undefined ? null : <p className={styles.hint}>{words.holdsInWorkflow}</p>}
          {isText ? null : (
            <Select
              label={words.kind}
              value={factType}
              options={Object.entries(words.kinds).map(([value, label]) => ({ value, label }))}
              onChange={setFactType}
            />
          )}
          <DialogFooter>
            {preview.data ? (
              <Button onClick={() => preview.reset()}>{words.changeText}</Button>
            ) : (
              <Button onClick={onClose}>{m.cancel}</Button>
            )}
            {isText && !preview.data ? (
              <Button
                busy={preview.isPending}
                onClick={({ currentTarget: { form } }) => {
                  if (form?.reportValidity()) preview.mutate({ content, ...place });
                }}
              >
                {words.preview}
              </Button>
            ) : null}
            <Button tone="primary" type="submit" busy={ingest.isPending || remember.isPending}>
              {words.remember}
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}
