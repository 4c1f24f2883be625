import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { factorsQuery, useRemoveTotp, useRenewCodes } from "../../data/factors.ts";
import { faultAt, problemOf } from "../../data/problem.ts";
import { m } from "../../messages/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordField } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure, Notice } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { FactorCodes } from "./factor-codes.tsx";
import { FactorSetup } from "./factor-setup.tsx";
import styles from "./factors.module.css";

/** Asks for the password before the app is removed or the codes are replaced. */
function Change({ what, onClose }: { what: "remove" | "renew"; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const remove = useRemoveTotp();
  const renew = useRenewCodes();
  const { error, isPending } = what === "remove" ? remove : renew;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (what === "renew") return renew.mutate(password);
    remove.mutate(password, {
      onSuccess: () => {
        toast.done(m.factors.removed);
        onClose();
      },
    });
  };
  const fault = faultAt(error, "/password");
  const codes = renew.data?.recoveryCodes;
  return (
    <Dialog open onClose={onClose} title={what === "remove" ? m.factors.remove : m.factors.renew}>
      <form className={styles.step} onSubmit={submit}>
        {error && !fault ? <Notice tone="bad">{problemOf(error).title}</Notice> : null}
        {codes ? (
          <FactorCodes codes={codes} />
        ) : (
          <>
            <p>{what === "remove" ? m.factors.removeLead : m.factors.renewLead}</p>
            <PasswordField
              label={m.me.current}
              autoComplete="current-password"
              required
              value={password}
              onChange={event => setPassword(event.target.value)}
              error={fault}
            />
          </>
        )}
        <div className={styles.end}>
          {codes ? (
            <Button tone="primary" onClick={onClose}>
              {m.factors.kept}
            </Button>
          ) : (
            <>
              <Button onClick={onClose}>{m.cancel}</Button>
              <Button type="submit" tone={what === "remove" ? "danger" : "primary"} busy={isPending}>
                {what === "remove" ? m.factors.remove : m.factors.renew}
              </Button>
            </>
          )}
        </div>
      </form>
    </Dialog>
  );
}

export function FactorsCard() {
  const { data, error, refetch } = useQuery(factorsQuery);
  const [open, setOpen] = useState<"set-up" | "remove" | "renew">();
  const close = () => setOpen(undefined);
  return (
    <Card title={m.factors.title} lead={m.factors.lead}>
      {error && !data ? <Failure small problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <SkeletonRows rows={1} /> : null}
      {data && !data.totp ? (
        <div className={styles.acts}>
          <Button onClick={() => setOpen("set-up")}>{m.factors.setUp}</Button>
        </div>
      ) : null}
      {data?.totp ? (
        <div className={styles.step}>
          <p>
            {m.factors.since} <Time at={data.since ?? ""} />. {m.factors.codesLeft(data.recoveryCodes)}
          </p>
          <div className={styles.acts}>
            <Button onClick={() => setOpen("renew")}>{m.factors.renew}</Button>
            <Button tone="danger" onClick={() => setOpen("remove")}>
              {m.factors.remove}
            </Button>
          </div>
        </div>
      ) : null}
      {open === "set-up" ? <FactorSetup onClose={close} /> : null}
      {open === "remove" || open === "renew" ? <Change what={open} onClose={close} /> : null}
    </Card>
  );
}
