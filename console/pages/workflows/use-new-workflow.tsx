import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, Suspense, useRef, useState } from "react";
import { createWorkflow } from "../../data/new-workflow.ts";
import { builderPath } from "../../data/paths.ts";
import { words } from "../../messages/en-new-workflow.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { lazy } from "../../ui/lazy.tsx";

const ImportDialog = lazy(() => import("./import-dialog.tsx"));

interface NewWorkflowWays {
  blank: () => void;
  /** Asks for a file, and shows what it becomes. */
  fromFile: () => void;
  busy: boolean;
  /** Elements that the page must render: the file input, and the import dialog. */
  parts: ReactNode;
}

/** The ways to create a workflow in a space, by default in the default one. A new workflow is opened. */
export function useNewWorkflow(spaceId?: string): NewWorkflowWays {
  const { id: workspaceId, slug } = useWorkspace();
  const navigate = useNavigate();
  const [file, setFile] = useState<File>();
  const field = useRef<HTMLInputElement>(null);
  const open = (workflow: { id: string; spaceId: string }) => void navigate({ to: builderPath(slug, workflow) });
  const create = useMutation({
    mutationFn: () => createWorkflow({ workspaceId, spaceId }, words.untitled),
    onSuccess: open,
  });
  return {
    blank: () => create.mutate(),
    fromFile: () => field.current?.click(),
    busy: create.isPending,
    parts: (
      <>
        <input
          ref={field}
          type="file"
          accept="application/json,.json"
          hidden
          aria-label={words.importFile}
          onChange={({ target }) => {
            setFile(target.files?.[0]);
            // Allows the user to choose the same file again.
            target.value = "";
          }}
        />
        {file ? (
          <Suspense fallback={null}>
            <ImportDialog file={file} spaceId={spaceId} onImported={open} onClose={() => setFile(undefined)} />
          </Suspense>
        ) : null}
      </>
    ),
  };
}
