import { type SyntheticEvent, useState } from "react";
import { useUpdateMe } from "../../data/me.ts";
import { codeOf, faultAt, problemOf } from "../../data/problem.ts";
import { useMe } from "../../data/session.ts";
import { account } from "../../messages/en-account.ts";
import { m } from "../../messages/index.ts";
import { CurrentPasswordField } from "../../shell/account-fields.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./me.module.css";

export function ProfileCard() {
  const me = useMe();
  const [name, setName] = useState(me.name ?? "");
  const [email, setEmail] = useState(me.email);
  const [current, setCurrent] = useState("");
  const update = useUpdateMe();
  const isMoved = email.trim().toLowerCase() !== me.email;
  const isChanged = isMoved || name.trim() !== (me.name ?? "");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const change = { name: name.trim() || null, ...(isMoved && { email, password: { current } }) };
    update.mutate(change, {
      onSuccess: profile => {
        setCurrent("");
        toast.done(isMoved && profile.email === me.email ? account.address.asked : m.saved);
      },
    });
  };
  const { error } = update;
  const faults = {
    email: codeOf(error) === "email_taken" ? account.signUp.taken : faultAt(error, "/email"),
    current: faultAt(error, "/password/current"),
  };
  return (
    <Card title={account.me.profile}>
      <form className={styles.form} onSubmit={submit}>
        {error && !faults.email && !faults.current ? <ProblemNotice problem={problemOf(error)} /> : null}
        <TextField
          label={account.me.name}
          autoComplete="name"
          maxLength={200}
          value={name}
          onChange={event => setName(event.target.value)}
        />
        <TextField
          label={account.me.email}
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={event => setEmail(event.target.value)}
          error={faults.email}
          hint={isMoved ? account.me.emailHint : undefined}
        />
        {isMoved ? <CurrentPasswordField value={current} onChange={setCurrent} error={faults.current} /> : null}
        <div className={styles.acts}>
          <Button
            type="submit"
            tone="primary"
            busy={update.isPending}
            disabled={!isChanged}
            title={isChanged ? undefined : m.nothingToSave}
          >
            {m.save}
          </Button>
        </div>
      </form>
    </Card>
  );
}
