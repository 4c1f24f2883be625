import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type StoredWorkflow, versionQuery, type WorkflowAddress } from "../data/builder.ts";
import { codeOf, problemOf } from "../data/problem.ts";
import { m } from "../messages/index.ts";
import { words } from "../messages/en-builder.ts";
import { Button } from "../ui/button.tsx";
import { copy } from "../ui/copy.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ScrollRegion } from "../ui/scroll-region.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Failure, Notice } from "../ui/states.tsx";
import { toast } from "../ui/toast.tsx";
import styles from "./builder-parts.module.css";
import { compare } from "./diff/compare.ts";
import { DifferenceList } from "./diff/difference-list.tsx";
import { contentOfVersion, type WorkflowContent } from "./draft.ts";
import { ChangedTools, UsedBy } from "./deploy-effects.tsx";
import { readDefinition } from "./document/index.ts";
import { FaultParts, faultRow } from "./fault-row.tsx";
import { MessageField } from "./message-field.tsx";
import type { FoundFault } from "./use-check.ts";

/** The most faults that are listed. */
const SHOWN = 5;

interface DeployDialogProps {
  at: WorkflowAddress;
  /** The version to deploy, and its definition. */
  version: number;
  side: WorkflowContent;
  live: number | null;
  faults: readonly FoundFault[];
  mayDeploy: boolean;
  /** Whether the draft must be saved as that version first. */
  mustSave: boolean;
  message?: string;
  onMessage?: (message: string) => void;
  /** Deploys the version. Undefined if a save was needed but met a conflict or failed. The page then shows why. */
  act: (force: boolean, message: string) => Promise<StoredWorkflow | undefined>;
  onDeployed?: (stored: StoredWorkflow) => void;
  onClose: () => void;
}

/** The first faults, by step, so that users need not leave the dialog to learn what is wrong. */
function FirstFaults({ faults, side }: Pick<DeployDialogProps, "faults" | "side">) {
  const state = useMemo(() => readDefinition(side.definition), [side]);
  return (
    <ul className={styles.faults}>
      {faults.slice(0, SHOWN).map(fault => (
        <li key={`${fault.nodeId} ${fault.path} ${fault.message}`} className={faultRow}>
          <FaultParts state={state} fault={fault} />
        </li>
      ))}
      {faults.length > SHOWN ? <li className={faultRow}>{words.usedMore(faults.length - SHOWN)}</li> : null}
    </ul>
  );
}

/** What changes for everything that uses the workflow. */
function Changes({ at, side, live }: Pick<DeployDialogProps, "at" | "side"> & { live: number }) {
  const { data, error, refetch } = useQuery(versionQuery(at, live));
  const differences = useMemo(() => data && compare(contentOfVersion(data), side).differences, [data, side]);
  if (differences) return <DifferenceList differences={differences.filter(({ mark }) => mark !== "moved")} />;
  return error ? (
    <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />
  ) : (
    <SkeletonRows rows={2} />
  );
}

/** Deploys a version, the newest or an older one, after showing what changes. */
export function DeployDialog(props: DeployDialogProps) {
  const { at, version, side, live, faults, mayDeploy, mustSave, onMessage, act, onDeployed, onClose } = props;
  const isLive = live === version;
  const [message, setMessage] = useState(props.message ?? "");
  const deploy = useMutation({
    mutationFn: (force: boolean) => act(force, message.trim()),
    onSuccess(stored) {
      onClose();
      if (!stored) return;
      onDeployed?.(stored);
      toast.done(words.deployed(stored.workflow.deployedVersion ?? version));
    },
    meta: { shown: true },
  });
  // The check in this dialog may be older than the state of the service.
  const isFaulty = faults.length > 0 || codeOf(deploy.error) === "invalid_definition";
  const problem = deploy.error ? problemOf(deploy.error) : undefined;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.deployTitle(version)}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          {mayDeploy ? (
            <Button
              tone="primary"
              busy={deploy.isPending}
              aria-disabled={isLive || undefined}
              onClick={() => !isLive && deploy.mutate(isFaulty)}
            >
              {isFaulty ? words.deployAnyway : mustSave ? words.saveAndDeploy : words.deployNow}
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
      {problem ? (
        <Notice tone="bad">
          {problem.title}. {problem.detail}
        </Notice>
      ) : null}
      {faults.length > 0 ? (
        <section aria-label={words.problems}>
          <Notice tone="warn">{words.deployFaults(faults.length)}</Notice>
          <FirstFaults faults={faults} side={side} />
        </section>
      ) : null}
      {mayDeploy ? null : <Notice>{words.deployRole}</Notice>}
      {isLive ? (
        <p>{words.deploySame}</p>
      ) : live === null ? (
        <p>{words.deployFirst}</p>
      ) : (
        <>
          <p>{words.deployReplaces(version, live)}</p>
          <section className={styles.changes} aria-label={words.deployChanges(live)}>
            <h3 className={styles.label}>{words.deployChanges(live)}</h3>
            <ScrollRegion label={words.deployChanges(live)}>
              <Changes at={at} side={side} live={live} />
            </ScrollRegion>
          </section>
        </>
      )}
      {isLive ? null : <UsedBy at={at} />}
      {isLive ? null : <ChangedTools at={at} definition={side.definition} />}
      {mayDeploy && !isLive ? (
        <MessageField
          hint={mustSave ? words.messageBoth : words.messageDeploy}
          value={message}
          onChange={text => {
            setMessage(text);
            onMessage?.(text);
          }}
        />
      ) : null}
    </Dialog>
  );
}
