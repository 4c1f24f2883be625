import { useNavigate } from "@tanstack/react-router";
import { builderSpot } from "../../data/paths.ts";
import type { Template } from "../../data/templates.ts";
import { useUseTemplate } from "../../data/workflows.ts";
import { words } from "../../messages/en-templates.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { toast } from "../../ui/toast.tsx";
import { CopyDialog } from "../workflows/copy-dialog.tsx";

interface Props {
  template: Template;
  /** The space that is selected first. By default the default space. */
  spaceId: string | undefined;
  onClose: () => void;
}

/** Asks for a name and a space, copies a template there, and opens it ready to run with its example. */
export default function UseDialog({ template, spaceId, onClose }: Props) {
  const { id: workspaceId, slug } = useWorkspace();
  const navigate = useNavigate();
  const use = useUseTemplate(workspaceId);
  const onSuccess = (workflow: { id: string; spaceId: string; name: string }) => {
    toast.done(words.made(workflow.name));
    void navigate({ ...builderSpot(slug, workflow), search: { run: "1" } });
  };
  return (
    <CopyDialog
      title={words.useTitle(template.name)}
      lead={words.useLead}
      confirm={words.create}
      name={template.name}
      // The default space has the id of its workspace.
      spaceId={spaceId ?? workspaceId}
      busy={use.isPending}
      error={use.error}
      onSubmit={copy => use.mutate({ id: template.id, ...copy }, { onSuccess })}
      onClose={onClose}
    />
  );
}
