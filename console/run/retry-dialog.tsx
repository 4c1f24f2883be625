import { useQuery } from "@tanstack/react-query";
import { Check, FastForward, Play } from "lucide-react";
import { useRef, useState } from "react";
import { problemOf } from "../data/problem.ts";
import { retryPlanQuery } from "../data/run.ts";
import { type RetryChoice, useRetryRun } from "../data/run-actions.ts";
import type { RunAddress } from "../data/run-types.ts";
import { retry as words } from "../messages/en-retry.ts";
import { runTexts } from "../messages/en-run.ts";
import { m } from "../messages/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Failure } from "../ui/states.tsx";
import { toast } from "../ui/toast.tsx";
import styles from "./retry-dialog.module.css";

/** The most steps of a group whose names are shown. */
const MAX_NAMES = 24;
const GROUPS = [
  { group: "runs", Icon: Play },
  { group: "continued", Icon: FastForward },
  { group: "kept", Icon: Check },
] as const;

interface RetryDialogProps {
  at: RunAddress;
  choice: RetryChoice;
  /** Step names by id. */
  names: ReadonlyMap<string, string>;
  onClose: () => void;
  onOpenRun: (id: string) => void;
}

/** Shows which steps a retry keeps and which it runs, before it starts. */
export function RetryDialog({ at, choice: given, names, onClose, onOpenRun }: RetryDialogProps) {
  const [version, setVersion] = useState(given.version ?? "original");
  const choice: RetryChoice = { ...given, version };
  const { data: plan, error, refetch } = useQuery(retryPlanQuery(at, choice));
  const retry = useRetryRun(at);
  const start = useRef<HTMLButtonElement>(null);
  const again = () =>
    retry.mutate(choice, {
      onSuccess(next) {
        toast.done(runTexts.run.retried);
        onOpenRun(next.id);
      },
      onSettled: onClose,
    });
  const isEmpty = plan !== undefined && GROUPS.every(({ group }) => plan[group].length === 0);
  return (
    <Dialog
      open
      onClose={onClose}
      focusOn={start}
      title={words.title}
      description={plan ? words.lead(plan.version) : undefined}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button ref={start} tone="primary" busy={retry.isPending} onClick={again}>
            {words.start}
          </Button>
        </>
      }
    >
      <Segmented
        label={words.version}
        value={version}
        onChange={setVersion}
        options={(["original", "latest"] as const).map(value => ({ value, label: words.versions[value] }))}
      />
      {plan ? (
        <div className={styles.groups}>
          {isEmpty ? <p>{words.invalid}</p> : null}
          {GROUPS.filter(({ group }) => plan[group].length > 0).map(({ group, Icon }) => (
            <section key={group} data-group={group}>
              <h3 className={styles.title}>
                <Icon size={14} aria-hidden />
                {words[group](plan[group].length)}
              </h3>
              <ul className={styles.steps}>
                {plan[group].slice(0, MAX_NAMES).map(id => (
                  <li key={id}>{names.get(id) ?? id}</li>
                ))}
                {plan[group].length > MAX_NAMES ? (
                  <li className={styles.more}>{words.more(plan[group].length - MAX_NAMES)}</li>
                ) : null}
              </ul>
            </section>
          ))}
        </div>
      ) : error ? (
        <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={3} />
      )}
    </Dialog>
  );
}
