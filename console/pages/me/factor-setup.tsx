import { type SyntheticEvent, useState } from "react";
import { renderSVG } from "uqr";
import { useBeginTotp, useConfirmTotp } from "../../data/factors.ts";
import { codeOf, faultAt, problemOf } from "../../data/problem.ts";
import { useMe } from "../../data/session.ts";
import { account } from "../../messages/en-account.ts";
import { m } from "../../messages/index.ts";
import { CodeField } from "../../shell/account-fields.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/states.tsx";
import { FactorCodes } from "./factor-codes.tsx";
import { OwnPassword } from "./own-password.tsx";
import styles from "./factors.module.css";

/**
 * Sets up an authenticator app in three steps: the password, the QR code with a code of the app, and the recovery
 * codes.
 */
export function FactorSetup({ onClose }: { onClose: () => void }) {
  const { hasPassword } = useMe();
  const [password, setPassword] = useState("");
  const given = hasPassword ? password : undefined;
  const [code, setCode] = useState("");
  const begin = useBeginTotp();
  const confirm = useConfirmTotp();
  const step = confirm.data ? "codes" : begin.data ? "scan" : "password";
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (step === "password") begin.mutate(given);
    else confirm.mutate(code);
  };
  const error = step === "password" ? begin.error : confirm.error;
  const fault = faultAt(begin.error, "/password");
  const isWrong = codeOf(confirm.error) === "invalid_code" || codeOf(confirm.error) === "validation_failed";
  const isElsewhere = error && !(step === "password" ? fault : isWrong);
  return (
    <Dialog open onClose={onClose} title={account.factors.setUp}>
      <form className={styles.step} onSubmit={submit}>
        {isElsewhere ? (
          <Notice tone="bad">
            {codeOf(error) === "sign_in_again" ? account.factors.recent : problemOf(error).title}
          </Notice>
        ) : null}
        {step === "password" ? <OwnPassword value={password} onChange={setPassword} error={fault} /> : null}
        {step === "scan" && begin.data ? (
          <>
            <p>{account.factors.scan}</p>
            <img
              className={styles.qr}
              src={qrSource(begin.data.uri)}
              alt={account.factors.qr}
              width={192}
              height={192}
            />
            <p className={styles.secret}>
              {account.factors.orType} <code>{begin.data.secret.match(/.{1,4}/g)?.join(" ")}</code>
            </p>
            <CodeField
              label={account.factors.code}
              inputMode="numeric"
              value={code}
              onChange={setCode}
              error={isWrong ? account.factors.wrongCode : undefined}
            />
          </>
        ) : null}
        {confirm.data ? <FactorCodes codes={confirm.data.recoveryCodes} /> : null}
        <DialogFooter>
          {step === "codes" ? (
            <Button tone="primary" onClick={onClose}>
              {account.factors.kept}
            </Button>
          ) : (
            <>
              <Button onClick={onClose}>{m.cancel}</Button>
              <Button type="submit" tone="primary" busy={begin.isPending || confirm.isPending}>
                {step === "password" ? account.factors.goOn : account.factors.confirm}
              </Button>
            </>
          )}
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** Black on white in every theme, because cameras expect it. */
const qrSource = (uri: string) => `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}`;
