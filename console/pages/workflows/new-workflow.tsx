import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, FileUp, Plus, Workflow as Icon } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { createWorkflow, importWorkflow } from "../../data/new-workflow.ts";
import { builderPath } from "../../data/paths.ts";
import { problemOf } from "../../data/problem.ts";
import { words } from "../../messages/en-new-workflow.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";

const Templates = lazy(() => import("./templates-dialog.tsx"));

/** Creates a workflow, blank, from a template or from a file, and opens it. */
export function NewWorkflow() {
  const { id: workspaceId, slug, role } = useWorkspace();
  const navigate = useNavigate();
  const [templates, setTemplates] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const open = (workflow: { id: string; spaceId: string }) => void navigate({ to: builderPath(slug, workflow) });
  const create = useMutation({
    mutationFn: () => createWorkflow(workspaceId, words.untitled),
    onSuccess: open,
  });
  const load = useMutation({
    mutationFn: async (chosen: File) => {
      let document: unknown;
      try {
        document = JSON.parse(await chosen.text());
      } catch {
        throw new Error(words.noJson(chosen.name));
      }
      return importWorkflow(workspaceId, document);
    },
    onSuccess(imported) {
      open(imported);
      const { warnings } = imported;
      const text = warnings.map(({ node, message }) => (node ? `${node}: ${message}` : message)).join("\n");
      if (warnings.length > 0) toast.failed(words.imported(warnings.length), text.slice(0, 2_000));
    },
    onError(error) {
      const { title, detail } = problemOf(error);
      toast.failed(words.notImported, detail || title);
    },
    meta: { shown: true },
  });
  if (!includesRole(role, "editor")) return null;
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button tone="primary" icon={<Plus size={14} aria-hidden />} busy={create.isPending || load.isPending}>
            {words.create}
            <ChevronDown size={14} aria-hidden style={{ marginInlineStart: 6, verticalAlign: -2 }} />
          </Button>
        }
      >
        <MenuItem icon={<Plus size={16} aria-hidden />} onSelect={() => create.mutate()}>
          {words.blank}
        </MenuItem>
        <MenuItem icon={<Icon size={16} aria-hidden />} onSelect={() => setTemplates(true)}>
          {words.fromTemplate}
        </MenuItem>
        <MenuItem icon={<FileUp size={16} aria-hidden />} onSelect={() => file.current?.click()}>
          {words.importFile}
        </MenuItem>
      </Menu>
      <input
        ref={file}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label={words.importFile}
        onChange={event => {
          const chosen = event.target.files?.[0];
          if (chosen) load.mutate(chosen);
          event.target.value = "";
        }}
      />
      {templates ? (
        <Suspense fallback={null}>
          <Templates onOpen={open} onClose={() => setTemplates(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
