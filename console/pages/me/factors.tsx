import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { factorsQuery, useRemoveTotp, useRenewCodes } from "../../data/factors.ts";
import { codeOf, faultAt, problemOf } from "../../data/problem.ts";
import { useMe } from "../../data/session.ts";
import { account } from "../../messages/en-account.ts";
import { m } from "../../messages/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { Card } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure, Notice } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { FactorCodes } from "./factor-codes.tsx";
import { FactorSetup } from "./factor-setup.tsx";
import { OwnPassword } from "./own-password.tsx";
import styles from "./factors.module.css";

/** Asks for the password before the app is removed or the recovery codes are replaced. */
function Change({ what, onClose }: { what: "remove" | "renew"; onClose: () => void }) {
  const { hasPassword } = useMe();
  const [password, setPassword] = useState("");
  const given = hasPassword ? password : undefined;
  const remove = useRemoveTotp();
  const renew = useRenewCodes();
  const { error, isPending } = what === "remove" ? remove : renew;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (what === "renew") return renew.mutate(given);
    remove.mutate(given, {
      onSuccess: () => {
        toast.done(account.factors.removed);
        onClose();
      },
    });
  };
  const fault = faultAt(error, "/password");
  const codes = renew.data?.recoveryCodes;
  return (
    <Dialog open onClose={onClose} title={what === "remove" ? account.factors.remove : account.factors.renew}>
      <form className={styles.step} onSubmit={submit}>
        {error && !fault ? (
          <Notice tone="bad">
            {codeOf(error) === "sign_in_again" ? account.factors.recent : problemOf(error).title}
          </Notice>
        ) : null}
        {codes ? (
          <FactorCodes codes={codes} />
        ) : (
          <>
            <p>{what === "remove" ? account.factors.removeLead : account.factors.renewLead}</p>
            <OwnPassword value={password} onChange={setPassword} error={fault} />
          </>
        )}
        <DialogFooter>
          {codes ? (
            <Button tone="primary" onClick={onClose}>
              {account.factors.kept}
            </Button>
          ) : (
            <>
              <Button onClick={onClose}>{m.cancel}</Button>
              <Button type="submit" tone={what === "remove" ? "danger" : "primary"} busy={isPending}>
                {what === "remove" ? account.factors.remove : account.factors.renew}
              </Button>
            </>
          )}
        </DialogFooter>
      </form>
    </Dialog>
  );
}

export function FactorsCard() {
  const { data, error, refetch } = useQuery(factorsQuery);
  const [open, setOpen] = useState<"set-up" | "remove" | "renew">();
  const close = () => setOpen(undefined);
  return (
    <Card title={account.factors.title} lead={account.factors.lead}>
      {error && !data ? <Failure small problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <SkeletonRows rows={1} /> : null}
      {data && !data.totp ? (
        <div className={styles.acts}>
          <Button onClick={() => setOpen("set-up")}>{account.factors.setUp}</Button>
        </div>
      ) : null}
      {data && (data.totp || data.passkeys > 0) ? (
        <div className={styles.step}>
          <p>
            {data.since === null ? null : (
              <>
                {account.factors.since} <Time at={data.since} />.{" "}
              </>
            )}
            {account.factors.codesLeft(data.recoveryCodes)}
          </p>
          <div className={styles.acts}>
            <Button onClick={() => setOpen("renew")}>{account.factors.renew}</Button>
            {data.totp ? (
              <Button tone="danger" onClick={() => setOpen("remove")}>
                {account.factors.remove}
              </Button>
            ) : null}
          </div>
        </div>
      ) : null}
      {open === "set-up" ? <FactorSetup onClose={close} /> : null}
      {open === "remove" || open === "renew" ? <Change what={open} onClose={close} /> : null}
    </Card>
  );
}
