import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { trashQuery, useRemoveWorkflow, useRestore } from "../../data/workflow-actions.ts";
import type { WorkflowRow } from "../../data/workflows.ts";
import { words } from "../../messages/en-workflow-acts.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { QueryList } from "../../shell/query-list.tsx";
import { RoleButton } from "../../shell/role-button.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import rows from "../../ui/rows.module.css";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";

interface TrashProps {
  /** Applies the filters of the list. */
  isShown: (workflow: WorkflowRow) => boolean;
  /** Leads back to the list. */
  onLeave: () => void;
}

/** The workflows in the trash. Users can restore them, or delete them for good. */
export default function Trash({ isShown, onLeave }: TrashProps) {
  const { id, role } = useWorkspace();
  const query = useQuery(trashQuery(id));
  const restore = useRestore(id);
  const remove = useRemoveWorkflow(id);
  const [removing, setRemoving] = useState<WorkflowRow>();
  const bringBack = (workflow: WorkflowRow) =>
    restore.mutate(workflow, { onSuccess: () => toast.done(words.restored(workflow.name)) });
  return (
    <>
      <QueryList
        query={{ ...query, data: query.data?.filter(isShown) }}
        empty={
          <Empty
            icon={<Trash2 size={20} aria-hidden />}
            title={words.emptyTrash}
            action={<Button onClick={onLeave}>{words.toAll}</Button>}
          >
            {words.emptyTrashDetail}
          </Empty>
        }
      >
        {workflow => (
          <li key={workflow.id} className={rows.row}>
            <Trash2 size={16} aria-hidden />
            <div className={rows.text}>
              <span className={rows.name}>{workflow.name}</span>
              <span className={rows.detail}>
                v{workflow.version} · {words.changed} <Time at={workflow.updatedAt} />
              </span>
            </div>
            <RoleButton least="editor" size="small" onClick={() => bringBack(workflow)}>
              {words.restore}
            </RoleButton>
            {includesRole(role, "editor") ? (
              <Button size="small" onClick={() => setRemoving(workflow)}>
                {words.remove}
              </Button>
            ) : null}
          </li>
        )}
      </QueryList>
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={words.removeTitle(removing?.name ?? "")}
        confirm={words.remove}
        onConfirm={() =>
          removing && remove.mutateAsync(removing, { onSuccess: () => toast.done(words.removed(removing.name)) })
        }
      >
        {words.removeDetail}
      </Confirm>
    </>
  );
}
