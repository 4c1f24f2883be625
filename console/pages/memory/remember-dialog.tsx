import { type SyntheticEvent, useState } from "react";
import { type Ingested, useIngest, useRemember } from "../../data/memory.ts";
import { faultAt, problemOf } from "../../data/problem.ts";
import { words } from "../../messages/en-memory.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogEnds } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/field.tsx";
import forms from "../../ui/form.module.css";
import { Select } from "../../ui/select.tsx";
import { Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./memory.module.css";

/** What came of a text: its statements, and what extracted them. */
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
      <DialogEnds>
        <Button tone="primary" onClick={onClose}>
          {m.close}
        </Button>
      </DialogEnds>
    </div>
  );
}

interface RememberDialogProps {
  /** `ingest`: the statements of a text; `add`: one statement, word for word. */
  what: "ingest" | "add";
  userId: string;
  onClose: () => void;
}

/** Remembers a text or a statement about a person. */
export function RememberDialog({ what, userId, onClose }: RememberDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const ingest = useIngest(workspaceId);
  const remember = useRemember(workspaceId);
  const [content, setContent] = useState("");
  const [factType, setFactType] = useState("fact");
  const isText = what === "ingest";
  const error = isText ? ingest.error : remember.error;
  const fault = faultAt(error, "/content");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isText) return ingest.mutate({ content, userId });
    const onSuccess = () => {
      toast.done(words.added);
      onClose();
    };
    remember.mutate({ content, factType, userId }, { onSuccess });
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
          {error && !fault ? (
            <Notice tone="bad">
              {problemOf(error).title}. {problemOf(error).detail}
            </Notice>
          ) : null}
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
          {isText ? null : (
            <Select
              label={words.kind}
              value={factType}
              options={Object.entries(words.kinds).map(([value, label]) => ({ value, label }))}
              onChange={setFactType}
            />
          )}
          <DialogEnds>
            <Button onClick={onClose}>{m.cancel}</Button>
            <Button tone="primary" type="submit" busy={ingest.isPending || remember.isPending}>
              {words.remember}
            </Button>
          </DialogEnds>
        </form>
      )}
    </Dialog>
  );
}
