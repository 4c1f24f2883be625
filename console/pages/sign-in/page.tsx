import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { type SyntheticEvent, useEffect, useState } from "react";
import { knowsPasskeys } from "../../data/passkeys.ts";
import { codeOf, signInFault } from "../../data/problem.ts";
import { signIn } from "../../data/session.ts";
import { installationQuery } from "../../data/workspaces.ts";
import { account } from "../../messages/en-account.ts";
import { safePath } from "../../search.ts";
import { inviteFor } from "../invite/token.ts";
import { CodeField, CurrentPasswordField, EmailField } from "../../shell/account-fields.tsx";
import { EntryFrame } from "../../shell/entry.tsx";
import { FormError } from "../../shell/form-error.tsx";
import { PasskeyButton } from "../../shell/passkey-button.tsx";
import { Or, ProviderButtons } from "../../shell/providers.tsx";
import { Button } from "../../ui/button.tsx";

export function SignInPage() {
  const { next, email: given } = useSearch({ from: "/sign-in" });
  const [email, setEmail] = useState(given ?? "");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  const router = useRouter();
  useEffect(() => {
    if (needsCode) document.querySelector<HTMLInputElement>("input[name=code]")?.focus();
  }, [needsCode]);
  const { data: installation } = useQuery(installationQuery);
  const enter = useMutation({
    mutationFn: () => signIn(email, password, needsCode ? code : undefined),
    onError: error => {
      if (codeOf(error) === "second_factor_required") setNeedsCode(true);
    },
    onSuccess: () => router.history.push(safePath(next)),
    meta: { shown: true },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    enter.mutate();
  };
  const fault = codeOf(enter.error) === "second_factor_required" ? null : enter.error;
  const offersPasskey = installation?.passkeys === true && !installation.ssoOnly && knowsPasskeys();
  if (needsCode) {
    const isWrong = codeOf(enter.error) === "invalid_code";
    const back = () => {
      setNeedsCode(false);
      setCode("");
      enter.reset();
    };
    return (
      <EntryFrame
        title={account.signIn.codeTitle}
        lead={account.signIn.codeLead}
        foot={
          <Button tone="quiet" onClick={back}>
            {account.signIn.otherAccount}
          </Button>
        }
      >
        <form onSubmit={submit}>
          {fault && !isWrong ? <FormError error={fault} text={signInFault} /> : null}
          <CodeField value={code} onChange={setCode} error={isWrong ? account.signIn.wrongCode : undefined} />
          <Button type="submit" tone="primary" size="large" wide busy={enter.isPending}>
            {account.signIn.submit}
          </Button>
        </form>
        {offersPasskey ? (
          <>
            <Or />
            <PasskeyButton onEnter={() => router.history.push(safePath(next))} />
          </>
        ) : null}
      </EntryFrame>
    );
  }
  return (
    <EntryFrame
      title={account.signIn.title}
      foot={
        installation?.ssoOnly ? undefined : installation?.registration === "closed" ||
          installation?.registration === "invite" ? (
          `${account.signIn.noAccount} ${account.signUp.closed(installation.registration, installation.contact)}`
        ) : (
          <>
            {account.signIn.noAccount}{" "}
            <Link to="/sign-up" search={{ next, email: email || undefined }}>
              {account.signIn.register}
            </Link>
          </>
        )
      }
    >
      {offersPasskey ? <PasskeyButton onEnter={() => router.history.push(safePath(next))} /> : null}
      <ProviderButtons next={next} invite={inviteFor(next)} />
      {installation && !installation.ssoOnly && (offersPasskey || installation.sso.length > 0) ? <Or /> : null}
      <form onSubmit={submit} hidden={installation?.ssoOnly}>
        {fault ? <FormError error={fault} text={signInFault} /> : null}
        <EmailField value={email} onChange={setEmail} />
        <CurrentPasswordField
          label={account.signIn.password}
          aside={
            <Link to="/forgot-password" search={{ next, email: email || undefined }}>
              {account.forgot.link}
            </Link>
          }
          value={password}
          onChange={setPassword}
        />
        <Button type="submit" tone="primary" size="large" wide busy={enter.isPending}>
          {account.signIn.submit}
        </Button>
      </form>
    </EntryFrame>
  );
}
