import type { Run } from "../../data/runs.ts";
import { Status, type StatusName } from "../../ui/status.tsx";

/** The displayed state of a run. A suspended run waits for a person or for a time. */
export const shownStatus = ({ status, suspension }: Pick<Run, "status" | "suspension">): StatusName =>
  status === "suspended" && suspension ? "asking" : status;

export const RunStatus = ({ run, iconOnly = false }: { run: Run; iconOnly?: boolean }) => (
  <Status status={shownStatus(run)} iconOnly={iconOnly} />
);

/** The most important detail of a run on one line: its question, or why it failed. */
export const runDetail = ({ status, error, suspension }: Run): string | undefined =>
  status === "suspended" ? suspension?.prompt : status === "failed" ? error?.message : undefined;
