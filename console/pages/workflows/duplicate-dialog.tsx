import { useNavigate } from "@tanstack/react-router";
import { builderSpot } from "../../data/paths.ts";
import { useDuplicate } from "../../data/workflow-actions.ts";
import type { WorkflowRow } from "../../data/workflows.ts";
import { words } from "../../messages/en-workflow-acts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { toast } from "../../ui/toast.tsx";
import { CopyDialog } from "./copy-dialog.tsx";

/** Copies a workflow, into its own space or another one, and opens the copy. */
export default function DuplicateDialog({ workflow, onClose }: { workflow: WorkflowRow; onClose: () => void }) {
  const { id: workspaceId, slug } = useWorkspace();
  const navigate = useNavigate();
  const duplicate = useDuplicate(workspaceId);
  const onSuccess = (copy: { id: string; spaceId: string; name: string }) => {
    toast.done(words.duplicated(copy.name));
    onClose();
    void navigate(builderSpot(slug, copy));
  };
  return (
    <CopyDialog
      title={words.duplicateTitle(workflow.name)}
      lead={words.duplicateLead}
      confirm={words.duplicate}
      name={words.copyOf(workflow.name)}
      spaceId={workflow.spaceId}
      busy={duplicate.isPending}
      error={duplicate.error}
      onSubmit={copy => duplicate.mutate({ at: workflow, ...copy }, { onSuccess })}
      onClose={onClose}
    />
  );
}
