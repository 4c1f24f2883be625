import { type SyntheticEvent, useState } from "react";
import { recordIn } from "../../data/json-text.ts";
import { type KnowledgeEntry, useSaveEntry } from "../../data/knowledge.ts";
import { faultAt, faultUnder, problemOf } from "../../data/problem.ts";
import { words } from "../../messages/en-knowledge.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { DialogFooter } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/field.tsx";
import forms from "../../ui/form.module.css";
import { ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

interface EntryFormProps {
  baseId: string;
  /** The entry that the new one replaces. */
  entry: KnowledgeEntry | undefined;
  onClose: () => void;
}

const textOf = (metadata: object | undefined) =>
  metadata && Object.keys(metadata).length > 0 ? JSON.stringify(metadata, null, 2) : "";

/** A form for the text and the metadata of an entry. */
export function EntryForm({ baseId, entry, onClose }: EntryFormProps) {
  const { id: workspaceId } = useWorkspace();
  const save = useSaveEntry(workspaceId, baseId, entry?.id);
  const [content, setContent] = useState(entry?.content ?? "");
  const [meta, setMeta] = useState(textOf(entry?.metadata));
  const [tried, setTried] = useState(false);
  const metadata = meta.trim() === "" ? {} : recordIn(meta);
  const { error } = save;
  const [textFault, metaFault] = [faultAt(error, "/content"), faultUnder(error, "/metadata")];
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (!metadata) return;
    save.mutate(
      { content, metadata },
      {
        onSuccess({ isDouble }) {
          if (isDouble) toast.failed(words.entry.bothKept);
          else toast.done(entry ? words.entry.saved : words.entry.added);
          onClose();
        },
      },
    );
  };
  return (
    <form className={forms.form} onSubmit={submit}>
      {error && !textFault && !metaFault ? <ProblemNotice problem={problemOf(error)} /> : null}
      <TextArea
        label={words.entry.content}
        required
        rows={12}
        value={content}
        error={textFault}
        onChange={event => setContent(event.target.value)}
      />
      <TextArea
        code
        label={words.entry.metadata}
        hint={words.entry.metadataHint}
        rows={4}
        spellCheck={false}
        value={meta}
        error={metaFault ?? (tried && !metadata ? words.entry.metadataBad : undefined)}
        onChange={event => setMeta(event.target.value)}
      />
      <DialogFooter>
        <Button onClick={onClose}>{m.cancel}</Button>
        <Button tone="primary" type="submit" busy={save.isPending}>
          {words.save}
        </Button>
      </DialogFooter>
    </form>
  );
}
