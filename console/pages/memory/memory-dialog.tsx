import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type Memory,
  memoryHistoryQuery,
  memoryQuery,
  type MemoryEvent,
  useRemoveMemory,
  useRestoreMemory,
} from "../../data/memory.ts";
import { problemOf } from "../../data/problem.ts";
import { useMemberNames } from "../../data/workspaces.ts";
import { words } from "../../messages/en-memory.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure, ProblemNotice } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./memory.module.css";

/** The other statement of an event: the one that superseded this one, or that this one superseded. */
function Other({ id, event, onOpen }: { id: string; event: MemoryEvent["event"]; onOpen: (id: string) => void }) {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(memoryQuery(workspaceId, id));
  return (
    <p>
      {words.otherOne[event]}{" "}
      <button type="button" className={styles.other} onClick={() => onOpen(id)}>
        {data?.content ?? words.openOther}
      </button>
    </p>
  );
}

/** The history of a statement, from its source to now. */
function Chain({ memory, onOpen }: { memory: Memory; onOpen: (id: string) => void }) {
  const { id: workspaceId } = useWorkspace();
  const { data, error, refetch } = useQuery(memoryHistoryQuery(workspaceId, memory.id));
  const names = useMemberNames(workspaceId);
  if (!data) {
    return error ? (
      <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />
    ) : (
      <SkeletonRows rows={2} />
    );
  }
  return (
    <ol className={styles.chain} aria-label={words.history}>
      {data.map(({ id, event, at, by, actorId, decision, span, otherId }) => (
        <li key={id}>
          <p className={styles.event}>
            {words.events[event]} <Time at={at} />
          </p>
          {span ? (
            <p>
              {words.words} <q className={styles.quoted}>{span.text}</q>
            </p>
          ) : null}
          {otherId ? <Other id={otherId} event={event} onOpen={onOpen} /> : null}
          <p className={styles.hint}>
            {names.get(actorId) ? `${names.get(actorId)} · ` : ""}
            {words.decidedBy(by)}
            {decision ? `: ${decision}` : ""}
          </p>
        </li>
      ))}
    </ol>
  );
}

interface MemoryDialogProps {
  id: string;
  /** Opens another memory instead of this one. */
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** A statement with its history. Users can restore it, or delete it for good. */
export function MemoryDialog({ id, onOpen, onClose }: MemoryDialogProps) {
  const { id: workspaceId, role } = useWorkspace();
  const { data: memory, error, refetch } = useQuery(memoryQuery(workspaceId, id));
  const restore = useRestoreMemory(workspaceId);
  const remove = useRemoveMemory(workspaceId);
  const [asks, setAsks] = useState(false);
  const acts = includesRole(role, "editor") && memory && (
    <>
      <Button tone="danger" onClick={() => setAsks(true)}>
        {words.remove}
      </Button>
      {memory.supersededById === null ? null : (
        <Button
          busy={restore.isPending}
          onClick={() => restore.mutate(id, { onSuccess: () => toast.done(words.restored) })}
        >
          {words.restore}
        </Button>
      )}
    </>
  );
  const removed = () => {
    toast.done(words.removed);
    onClose();
  };
  return (
    <>
      <Dialog open wide onClose={onClose} title={words.detail} actions={acts || undefined}>
        {memory ? (
          <div className={styles.memory}>
            <p className={styles.content} data-former={memory.supersededById !== null || undefined}>
              {memory.content}
            </p>
            {memory.supersededById === null ? null : <p className={styles.hint}>{words.wasSuperseded}</p>}
            {restore.error ? <ProblemNotice problem={problemOf(restore.error)} /> : null}
            <h3 className={styles.heading}>{words.history}</h3>
            <Chain memory={memory} onOpen={onOpen} />
          </div>
        ) : null}
        {!memory && error ? <Failure small problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
        {!memory && !error ? <SkeletonRows rows={4} /> : null}
      </Dialog>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={words.removeTitle}
        confirm={words.remove}
        onConfirm={() => remove.mutateAsync(id, { onSuccess: removed })}
      >
        {words.removeDetail}
      </Confirm>
    </>
  );
}
