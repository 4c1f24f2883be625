import { useNavigate } from "@tanstack/react-router";
import { Copy, Download, Ellipsis, GitCompareArrows, History, Star, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { problemOf } from "../../data/problem.ts";
import { exportWorkflow, useStar, useTrash } from "../../data/workflow-actions.ts";
import type { WorkflowRow } from "../../data/workflows.ts";
import { words } from "../../messages/en-workflow-acts.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { IconButton } from "../../ui/button.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { save } from "../../ui/save.ts";
import { toast } from "../../ui/toast.tsx";

const DuplicateDialog = lazy(() => import("./duplicate-dialog.tsx"));

/** The menu with further actions of a workflow. */
export default function RowMenu({ workflow }: { workflow: WorkflowRow }) {
  const { id: workspaceId, slug: w, role } = useWorkspace();
  const navigate = useNavigate();
  const star = useStar(workspaceId);
  const trash = useTrash(workspaceId);
  const [duplicates, setDuplicates] = useState(false);
  const { id, name, spaceId, starred } = workflow;
  const mayEdit = includesRole(role, "editor");
  const download = async () => {
    try {
      const file = await exportWorkflow(workspaceId, workflow);
      save(JSON.stringify(file, null, 2), `${name}.json`, "application/json");
    } catch (error) {
      toast.problem(problemOf(error));
    }
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton size="small" label={words.more(name)}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        {mayEdit ? (
          <MenuItem
            icon={<Star size={16} aria-hidden />}
            onSelect={() => star.mutate({ at: workflow, starred: !starred })}
          >
            {starred ? words.unstar : words.star}
          </MenuItem>
        ) : null}
        <MenuItem
          icon={<History size={16} aria-hidden />}
          onSelect={() => void navigate({ to: "/w/$w/runs", params: { w }, search: { workflow: id } })}
        >
          {words.runs}
        </MenuItem>
        <MenuItem
          icon={<GitCompareArrows size={16} aria-hidden />}
          onSelect={() => void navigate({ to: "/w/$w/s/$s/f/$id/versions", params: { w, s: spaceId, id } })}
        >
          {words.versions}
        </MenuItem>
        <MenuItem icon={<Download size={16} aria-hidden />} onSelect={() => void download()}>
          {words.export}
        </MenuItem>
        {mayEdit ? (
          <>
            <MenuItem icon={<Copy size={16} aria-hidden />} onSelect={() => setDuplicates(true)}>
              {words.duplicate}
            </MenuItem>
            <MenuSeparator />
            <MenuItem
              danger
              icon={<Trash2 size={16} aria-hidden />}
              onSelect={() => trash.mutate(workflow, { onSuccess: () => toast.done(words.trashed(name)) })}
            >
              {words.trash}
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {duplicates ? (
        <Suspense fallback={null}>
          <DuplicateDialog workflow={workflow} onClose={() => setDuplicates(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
