import { type SyntheticEvent, useState } from "react";
import { useUpdateMe } from "../../data/me.ts";
import { faultAt, problemOf } from "../../data/problem.ts";
import { queryClient } from "../../data/query-client.ts";
import { useMe } from "../../data/session.ts";
import { account } from "../../messages/en-account.ts";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./me.module.css";

const LEAST = 12;

export function PasswordCard() {
  const { email } = useMe();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [tried, setTried] = useState(false);
  const update = useUpdateMe();
  const isShort = next.length < LEAST;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (isShort) return;
    update.mutate(
      { password: { current, new: next } },
      {
        onSuccess: () => {
          setCurrent("");
          setNext("");
          setTried(false);
          toast.done(account.me.passwordChanged);
          void queryClient.invalidateQueries({ queryKey: ["me", "sessions"] });
        },
      },
    );
  };
  const { error } = update;
  const fault = faultAt(error, "/password/current");
  return (
    <Card title={account.me.password} lead={account.me.passwordLead}>
      <form className={styles.form} onSubmit={submit}>
        {error && !fault ? <Notice tone="bad">{problemOf(error).title}</Notice> : null}
        {/* Password managers find the account by it. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordField
          label={account.me.current}
          autoComplete="current-password"
          required
          value={current}
          onChange={event => setCurrent(event.target.value)}
          error={fault}
        />
        <PasswordField
          label={account.me.new}
          autoComplete="new-password"
          required
          maxLength={256}
          least={LEAST}
          value={next}
          onChange={event => setNext(event.target.value)}
          error={tried && isShort ? account.signUp.tooShort : undefined}
          hint={account.signUp.passwordHint}
        />
        <div className={styles.acts}>
          <Button type="submit" busy={update.isPending} disabled={current === "" || next === ""}>
            {account.me.changePassword}
          </Button>
        </div>
      </form>
    </Card>
  );
}
