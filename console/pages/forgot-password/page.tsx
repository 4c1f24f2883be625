import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import { useForgotPassword } from "../../data/accounts.ts";
import { codeOf, secondsLeft, sentencesOf } from "../../data/problem.ts";
import { installationQuery } from "../../data/workspaces.ts";
import { account } from "../../messages/en-account.ts";
import { m } from "../../messages/index.ts";
import { EmailField } from "../../shell/account-fields.tsx";
import { EntryFrame } from "../../shell/entry.tsx";
import { FormError } from "../../shell/form-error.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";

function messageOf(error: unknown, now: number): string {
  if (codeOf(error) === "rate_limited") return m.problem.tooManyTries(secondsLeft(error, now));
  return sentencesOf(error);
}

export function ForgotPasswordPage() {
  const { next, email: given } = useSearch({ from: "/forgot-password" });
  const [email, setEmail] = useState(given ?? "");
  const { data: installation } = useQuery(installationQuery);
  const ask = useForgotPassword();
  const back = (
    <Link to="/sign-in" search={{ next, email: email || undefined }}>
      {account.forgot.back}
    </Link>
  );
  if (installation?.mail === false) {
    return (
      <EntryFrame title={account.forgot.title} lead={account.forgot.noMail} foot={back}>
        <p>{account.forgot.byOperator}</p>
        <code>npx weft users reset-password {email || "<e-mail>"}</code>
      </EntryFrame>
    );
  }
  if (ask.isSuccess) {
    return (
      <EntryFrame title={account.forgot.sentTitle} lead={account.forgot.sent(email)}>
        <Link to="/sign-in" search={{ next, email }} className={buttonClass({ size: "large", wide: true })}>
          {account.forgot.back}
        </Link>
      </EntryFrame>
    );
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    ask.mutate(email);
  };
  return (
    <EntryFrame title={account.forgot.title} lead={account.forgot.lead} foot={back}>
      <form onSubmit={submit}>
        {ask.error ? <FormError error={ask.error} text={messageOf} /> : null}
        <EmailField value={email} onChange={setEmail} />
        <Button type="submit" tone="primary" size="large" wide busy={ask.isPending}>
          {account.forgot.submit}
        </Button>
      </form>
    </EntryFrame>
  );
}
