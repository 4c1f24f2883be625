import { useNavigate } from "@tanstack/react-router";
import { builderSpot } from "../../data/paths.ts";
import { useUseTemplate } from "../../data/workflows.ts";
import { words } from "../../messages/en-templates.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { toast } from "../../ui/toast.tsx";

/**
 * Returns a function that copies a template into the workspace and opens it, ready to run with its example. Without a
 * space, it uses the default one.
 */
export function useOpenTemplate(spaceId?: string) {
  const { id: workspaceId, slug } = useWorkspace();
  const use = useUseTemplate(workspaceId);
  const navigate = useNavigate();
  const open = (template: { id: string }) =>
    use.mutate(
      { id: template.id, spaceId },
      {
        onSuccess(workflow) {
          toast.done(words.made(workflow.name));
          void navigate({ ...builderSpot(slug, workflow), search: { run: "1" } });
        },
      },
    );
  return { open, opening: use.isPending ? use.variables.id : undefined };
}
