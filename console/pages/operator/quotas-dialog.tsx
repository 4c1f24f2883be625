import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import {
  type OperatedWorkspace,
  type QuotaName,
  type Quotas,
  quotasQuery,
  UNLIMITED,
  useSetQuotas,
} from "../../data/operator.ts";
import { faultAt, problemOf } from "../../data/problem.ts";
import { operator as words } from "../../messages/en-operator.ts";
import { m } from "../../messages/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure, Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./operator.module.css";

const NAMES = Object.keys(words.quota) as QuotaName[];
/** Empty for no limit. The browser does not send a form with another text, and focuses the field. */
const WHOLE = "\\s*\\d{0,12}\\s*";
const shown = (amount: number | undefined) => (amount === undefined || amount >= UNLIMITED ? "" : `${amount}`);

interface Props {
  workspace: OperatedWorkspace;
  onClose: () => void;
}

function Form({ workspace: { id, name }, quotas, onClose }: Props & { quotas: Quotas }) {
  const [given, setGiven] = useState<Partial<Record<QuotaName, string>>>({});
  const save = useSetQuotas(id);
  const { error } = save;
  const wrong = NAMES.find(one => !new RegExp(`^${WHOLE}$`).test(given[one] ?? ""));
  const faults = NAMES.filter(one => faultAt(error, `/quotas/${one}`) !== undefined);
  const changed = NAMES.filter(one => given[one] !== undefined && given[one].trim() !== shown(quotas[one]));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (changed.length === 0) return onClose();
    const entries = changed.map(one => [one, given[one]!.trim() === "" ? null : Number(given[one])] as const);
    save.mutate(Object.fromEntries(entries), {
      onSuccess: () => {
        toast.done(words.quotasSaved(name));
        onClose();
      },
    });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {error && faults.length === 0 ? <Notice tone="bad">{problemOf(error).detail}</Notice> : null}
      <div className={styles.quotas}>
        {NAMES.map(one => (
          <TextField
            key={one}
            label={words.quota[one]}
            inputMode="numeric"
            pattern={WHOLE}
            title={words.whole_number}
            autoComplete="off"
            placeholder={words.unlimited}
            value={given[one] ?? shown(quotas[one])}
            error={one === wrong ? words.whole_number : faultAt(error, `/quotas/${one}`)}
            onChange={event => setGiven({ ...given, [one]: event.target.value })}
          />
        ))}
      </div>
      <div className={styles.ends}>
        <Button onClick={onClose}>{m.cancel}</Button>
        <Button type="submit" tone="primary" busy={save.isPending}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}

/** Edits the quotas of a workspace. */
export function QuotasDialog(props: Props) {
  const { workspace, onClose } = props;
  const { data, error, refetch } = useQuery(quotasQuery(workspace.id));
  return (
    <Dialog open wide onClose={onClose} title={words.quotasOf(workspace.name)} description={words.quotasDetail}>
      {data ? (
        <Form {...props} quotas={data} />
      ) : error ? (
        <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={5} />
      )}
    </Dialog>
  );
}
