import { type SyntheticEvent, useState } from "react";
import { type OperatedNewUser, type ResetLink, useCreateUser } from "../../data/operator.ts";
import { codeOf, faultAt, problemOf } from "../../data/problem.ts";
import { operator as words } from "../../messages/en-operator.ts";
import { m } from "../../messages/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, KeepOpen } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./operator.module.css";

/** Creates an account. The person sets the password with a link. */
export function CreateUserDialog({
  open,
  onClose,
  onMade,
}: {
  open: boolean;
  onClose: () => void;
  onMade: (made: OperatedNewUser) => void;
}) {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const create = useCreateUser();
  const { error } = create;
  const fault = codeOf(error) === "email_taken" ? problemOf(error).title : faultAt(error, "/email");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    create.mutate(
      { email, ...(name.trim() !== "" && { name }) },
      {
        onSuccess: made => {
          setEmail("");
          setName("");
          onMade(made);
        },
      },
    );
  };
  const close = () => {
    create.reset();
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title={words.createTitle} description={words.createDetail}>
      <form className={styles.form} onSubmit={submit}>
        {error && !fault ? <ProblemNotice problem={problemOf(error)} /> : null}
        <TextField
          label={words.email}
          type="email"
          required
          maxLength={254}
          value={email}
          error={fault}
          onChange={event => setEmail(event.target.value)}
        />
        <TextField label={words.name} maxLength={200} value={name} onChange={event => setName(event.target.value)} />
        <div className={styles.ends}>
          <Button onClick={close}>{m.cancel}</Button>
          <Button type="submit" tone="primary" busy={create.isPending}>
            {words.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Shows the link with which a person sets a password. */
export function LinkDialog({
  shown,
  onClose,
}: {
  shown: { email: string; made: Pick<ResetLink, "link" | "expiresAt"> } | undefined;
  onClose: () => void;
}) {
  return (
    <Dialog
      open={shown !== undefined}
      onClose={onClose}
      title={words.linkTitle}
      description={shown ? words.linkDetail(shown.email) : ""}
      actions={
        <Button tone="primary" onClick={onClose}>
          {words.stored}
        </Button>
      }
    >
      {shown ? (
        <>
          <KeepOpen />
          <ShownOnce value={shown.made.link} label={words.link} />
          <p className={styles.quiet}>
            {words.until} <Time at={shown.made.expiresAt} />
          </p>
        </>
      ) : null}
    </Dialog>
  );
}
