import { type SyntheticEvent, useState } from "react";
import { type OperatedWorkspace, useRemoveOperated, useSetOwner } from "../../data/operator.ts";
import { problemOf } from "../../data/problem.ts";
import { operator as words } from "../../messages/en-operator.ts";
import { m } from "../../messages/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { TypedConfirm } from "../../shell/typed-confirm.tsx";
import styles from "./operator.module.css";

interface Props {
  workspace: OperatedWorkspace;
  onClose: () => void;
}

/** Makes another account the owner of a workspace. */
export function OwnerDialog({ workspace: { id, name }, onClose }: Props) {
  const [email, setEmail] = useState("");
  const set = useSetOwner(id);
  const missing = set.data === null ? words.noAccount : undefined;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    set.mutate(email, {
      onSuccess: owned => {
        if (owned === null) return;
        toast.done(words.owned(name, email.trim()));
        onClose();
      },
    });
  };
  return (
    <Dialog open onClose={onClose} title={words.ownerTitle(name)} description={words.ownerDetail}>
      <form className={styles.form} onSubmit={submit}>
        {set.error ? <Notice tone="bad">{problemOf(set.error).detail}</Notice> : null}
        <TextField
          label={words.ownerEmail}
          type="email"
          required
          maxLength={254}
          value={email}
          error={missing}
          onChange={event => {
            set.reset();
            setEmail(event.target.value);
          }}
        />
        <div className={styles.ends}>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button type="submit" tone="primary" busy={set.isPending}>
            {words.owner}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function RemoveDialog({ workspace: { id, name, slug }, onClose }: Props) {
  const remove = useRemoveOperated();
  return (
    <TypedConfirm
      title={words.removeSpaceTitle(name)}
      detail={words.removeSpaceDetail}
      label={words.removeSpaceLabel(slug)}
      word={slug}
      confirm={words.removeSpace}
      onClose={onClose}
      onConfirm={() => remove.mutateAsync(id, { onSuccess: () => toast.done(words.spaceRemoved(name)) })}
    />
  );
}
