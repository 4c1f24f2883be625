import { useNavigate } from "@tanstack/react-router";
import { runPath } from "../data/paths.ts";
import { problemOf } from "../data/problem.ts";
import { findRun } from "../data/runs.ts";
import { m } from "../messages/index.ts";
import { toast } from "../ui/toast.tsx";

/**
 * Returns a function that opens a run by its id, in any space of a workspace. It shows a message if there is no such
 * run.
 */
export function useOpenRun(workspace: { id: string; slug: string } | undefined): (id: string) => Promise<void> {
  const navigate = useNavigate();
  return async id => {
    if (!workspace) return;
    try {
      const run = await findRun(workspace.id, id);
      if (run) void navigate({ to: runPath(workspace.slug, run) });
      else toast.failed(m.runs.noSuchRun);
    } catch (error) {
      toast.problem(problemOf(error));
    }
  };
}
