import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { entryQuery, type KnowledgeEntry, useRemoveEntry } from "../../data/knowledge.ts";
import { problemOf } from "../../data/problem.ts";
import { words } from "../../messages/en-knowledge.ts";
import { m } from "../../messages/index.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./base.module.css";
import { EntryForm } from "./entry-form.tsx";
import { sourceOf } from "./source.ts";

/** An entry: its text, its source, and its metadata. */
function Shown({ entry }: { entry: KnowledgeEntry }) {
  const { content, metadata, embeddingStatus, createdAt } = entry;
  const source = sourceOf(entry);
  return (
    <div className={styles.entry}>
      <p className={styles.facts}>
        {source ? `${source} · ` : ""}
        <Time at={createdAt} /> · {words.entry.characters(content.length)} · {words.entry.status[embeddingStatus]}
      </p>
      <ScrollRegion className={styles.content} label={words.entry.content}>
        {content}
      </ScrollRegion>
      {Object.keys(metadata).length > 0 ? (
        <dl className={styles.meta}>
          {Object.entries(metadata).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  );
}

interface EntryDialogProps {
  baseId: string;
  /** Undefined for a new entry. */
  entryId: string | undefined;
  onClose: () => void;
}

/** Shows, changes or deletes an entry, or creates one. */
export function EntryDialog({ baseId, entryId, onClose }: EntryDialogProps) {
  const { id: workspaceId, role } = useWorkspace();
  const query = useQuery({ ...entryQuery(workspaceId, baseId, entryId ?? ""), enabled: entryId !== undefined });
  const remove = useRemoveEntry(workspaceId, baseId);
  const [edits, setEdits] = useState(false);
  const [asks, setAsks] = useState(false);
  const entry = query.data;
  const removed = () => {
    toast.done(words.entry.removed);
    onClose();
  };
  if (entryId === undefined || (edits && entry)) {
    return (
      <Dialog
        open
        wide
        onClose={onClose}
        title={entry ? words.entry.editTitle : words.entry.addTitle}
        description={entry ? words.entry.changeHint : undefined}
      >
        <EntryForm baseId={baseId} entry={entry} onClose={onClose} />
      </Dialog>
    );
  }
  const acts = includesRole(role, "editor") ? (
    <>
      <Button tone="danger" onClick={() => setAsks(true)}>
        {words.entry.remove}
      </Button>
      <Button onClick={() => setEdits(true)}>{words.entry.change}</Button>
    </>
  ) : (
    <Button onClick={onClose}>{m.close}</Button>
  );
  return (
    <>
      <Dialog open wide onClose={onClose} title={words.entry.title} actions={entry ? acts : undefined}>
        {entry ? <Shown entry={entry} /> : null}
        {!entry && query.error ? (
          <Failure small problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        ) : null}
        {!entry && !query.error ? <SkeletonRows rows={5} /> : null}
      </Dialog>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={words.entry.removeTitle}
        confirm={words.entry.remove}
        onConfirm={() => remove.mutateAsync(entryId, { onSuccess: removed })}
      >
        {words.entry.removeDetail}
      </Confirm>
    </>
  );
}
