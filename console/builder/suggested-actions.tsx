import { Link } from "@tanstack/react-router";
import { useFirstSteps } from "../data/first-steps.ts";
import { words } from "../messages/en-next-steps.ts";
import { includesRole, useWorkspace } from "../shell/workspace.ts";
import { Button, buttonClass } from "../ui/button.tsx";

/**
 * Suggests next steps after a successful run: what the workspace still lacks for the workflow to run by itself and in a
 * team.
 */
export function SuggestedActions({ workflowId, onDeploy }: { workflowId: string; onDeploy: (() => void) | undefined }) {
  const { id, slug: w, role } = useWorkspace();
  const steps = useFirstSteps(id, true);
  return (
    <>
      {onDeploy ? (
        <Button size="small" tone="primary" onClick={onDeploy}>
          {words.deploy}
        </Button>
      ) : null}
      {steps?.starts === false ? (
        <Link
          to="/w/$w/schedules"
          params={{ w }}
          search={{ workflow: workflowId, new: "1" }}
          className={buttonClass({ size: "small" })}
        >
          {words.schedule}
        </Link>
      ) : null}
      {steps?.hasColleague === false && includesRole(role, "admin") ? (
        <Link
          to="/w/$w/settings/$tab"
          params={{ w, tab: "members" }}
          search={{ invite: "1" }}
          className={buttonClass({ size: "small" })}
        >
          {words.invite}
        </Link>
      ) : null}
    </>
  );
}
