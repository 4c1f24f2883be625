import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, FileUp, LayoutTemplate, Plus } from "lucide-react";
import { words } from "../../messages/en-new-workflow.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { useNewWorkflow } from "./use-new-workflow.tsx";

/** Creates a workflow in the space, from nothing, a template or a file, and opens it. */
export function NewWorkflow({ space }: { space?: string | undefined }) {
  const { slug: w, role } = useWorkspace();
  const navigate = useNavigate();
  const { blank, fromFile, busy, parts } = useNewWorkflow(space);
  if (!includesRole(role, "editor")) return null;
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button tone="primary" icon={<Plus size={14} aria-hidden />} busy={busy}>
            {words.create}
            <ChevronDown size={14} aria-hidden />
          </Button>
        }
      >
        <MenuItem icon={<Plus size={16} aria-hidden />} onSelect={blank}>
          {words.blank}
        </MenuItem>
        <MenuItem
          icon={<LayoutTemplate size={16} aria-hidden />}
          onSelect={() => void navigate({ to: "/w/$w/templates", params: { w }, search: { s: space } })}
        >
          {words.fromTemplate}
        </MenuItem>
        <MenuItem icon={<FileUp size={16} aria-hidden />} onSelect={fromFile}>
          {words.importFile}
        </MenuItem>
      </Menu>
      {parts}
    </>
  );
}
