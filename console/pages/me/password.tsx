import { type SyntheticEvent, useState } from "react";
import { useUpdateMe } from "../../data/me.ts";
import { faultAt, problemOf } from "../../data/problem.ts";
import { queryClient } from "../../data/query-client.ts";
import { useMe } from "../../data/session.ts";
import { account } from "../../messages/en-account.ts";
import { CurrentPasswordField, NewPasswordField, isShortPassword } from "../../shell/account-fields.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./me.module.css";

export function PasswordCard() {
  const { email } = useMe();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [tried, setTried] = useState(false);
  const update = useUpdateMe();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (isShortPassword(next)) return;
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
        {error && !fault ? <ProblemNotice problem={problemOf(error)} /> : null}
        {/* Password managers identify the account by this field. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <CurrentPasswordField value={current} onChange={setCurrent} error={fault} />
        <NewPasswordField label={account.me.new} tried={tried} value={next} onChange={setNext} />
        <div className={styles.acts}>
          <Button type="submit" busy={update.isPending}>
            {account.me.changePassword}
          </Button>
        </div>
      </form>
    </Card>
  );
}
