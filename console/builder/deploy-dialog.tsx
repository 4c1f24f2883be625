import { useMutation, useQuery } from "@tanstack/react-query";
import { deployWorkflow, diffQuery, type Stored, type WorkflowAddress } from "../data/builder.ts";
import { problemOf } from "../data/problem.ts";
import { m } from "../messages/index.ts";
import { words } from "../messages/en-builder.ts";
import { Button } from "../ui/button.tsx";
import { copy } from "../ui/copy.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Notice } from "../ui/states.tsx";
import { toast } from "../ui/toast.tsx";
import { ChangeList } from "./change-list.tsx";
import styles from "./builder-parts.module.css";

interface DeployDialogProps {
  at: WorkflowAddress;
  /** The newest version. */
  version: number;
  live: number | null;
  faults: number;
  mayDeploy: boolean;
  /** Whether what is edited is that version. */
  isSaved: boolean;
  save: () => Promise<boolean>;
  onDeployed: (stored: Stored) => void;
  onClose: () => void;
}

/** Says what will change for everything that uses the workflow, and deploys it. */
export function DeployDialog(props: DeployDialogProps) {
  const { at, version, live, faults, mayDeploy, isSaved, save, onDeployed, onClose } = props;
  const isLive = live === version && isSaved;
  const diff = useQuery({
    ...diffQuery(at, live ?? version, version),
    enabled: isSaved && live !== null && live !== version,
  });
  const deploy = useMutation({
    mutationFn: async () => {
      if (!isSaved && !(await save())) return undefined;
      return deployWorkflow(at, faults > 0);
    },
    onSuccess(stored) {
      onClose();
      if (!stored) return;
      onDeployed(stored);
      toast.done(words.deployed(stored.workflow.deployedVersion ?? version));
    },
    meta: { shown: true },
  });
  const next = isSaved ? version : version + 1;
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.deployTitle(next)}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          {mayDeploy ? (
            <Button
              tone="primary"
              busy={deploy.isPending}
              aria-disabled={isLive || undefined}
              onClick={() => !isLive && deploy.mutate()}
            >
              {faults > 0 ? words.deployAnyway : isSaved ? words.deployNow : words.saveAndDeploy}
            </Button>
          ) : (
            <Button
              tone="primary"
              onClick={() => {
                void copy(location.href);
                onClose();
              }}
            >
              {words.askAdmin}
            </Button>
          )}
        </>
      }
    >
      {deploy.error ? (
        <Notice tone="bad">
          {problemOf(deploy.error).title}. {problemOf(deploy.error).detail}
        </Notice>
      ) : null}
      {faults > 0 ? <Notice tone="warn">{words.deployFaults(faults)}</Notice> : null}
      {mayDeploy ? null : <Notice>{words.deployRole}</Notice>}
      {isLive ? (
        <p>{words.deploySame}</p>
      ) : live === null ? (
        <p>{words.deployFirst}</p>
      ) : (
        <section>
          <p className={styles.label}>{words.deployChanges(live)}</p>
          {!isSaved ? <p>{words.saveFirst}</p> : diff.data ? <ChangeList diff={diff.data} /> : <Skeleton width={200} />}
        </section>
      )}
    </Dialog>
  );
}
