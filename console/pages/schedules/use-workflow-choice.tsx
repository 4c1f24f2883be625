import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type WorkflowRow, workflowsQuery } from "../../data/workflows.ts";
import { triggers } from "../../messages/en-triggers.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Select } from "../../ui/select.tsx";
import styles from "./schedules.module.css";

const words = triggers.choice;

interface Choice {
  chosen: WorkflowRow | undefined;
  field: ReactNode;
}

const isDeployed = ({ deployedVersion }: WorkflowRow) => deployedVersion !== null;
const only = (some: readonly WorkflowRow[]) => (some.length === 1 ? some[0] : undefined);

/**
 * The workflow that a new schedule or webhook starts. Without a `first` one, the field is empty while several can be
 * chosen, so that the wrong one is not started by mistake. `tried` says that the user has sent the form.
 */
export function useWorkflowChoice(first: string | undefined, tried: boolean): Choice {
  const { id } = useWorkspace();
  const { data } = useQuery(workflowsQuery(id));
  const [picked, setPicked] = useState(first);
  const all = data ?? [];
  const deployed = all.filter(isDeployed);
  const chosen = all.find(one => one.id === picked) ?? only(deployed.length > 0 ? deployed : all);
  const notDeployed = (
    <span className={styles.notDeployed}>
      <TriangleAlert size={14} aria-hidden /> {words.notDeployed}
    </span>
  );
  const hint = chosen ? !isDeployed(chosen) && notDeployed : data?.length === 0 && words.none;
  const field = (
    <Select
      label={words.workflow}
      hint={hint}
      error={tried && !chosen && data?.length !== 0 ? words.missing : undefined}
      placeholder={words.choose}
      value={chosen?.id ?? ""}
      options={[...deployed, ...all.filter(one => !isDeployed(one))].map(one => ({
        value: one.id,
        label: one.name,
        ...(!isDeployed(one) && { detail: words.draft }),
      }))}
      onChange={setPicked}
    />
  );
  return { chosen, field };
}
