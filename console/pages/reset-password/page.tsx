import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import { resetQuery, useResetPassword } from "../../data/accounts.ts";
import { codeOf, faultAt, problemOf } from "../../data/problem.ts";
import { account } from "../../messages/en-account.ts";
import { NewPasswordField, isShortPassword } from "../../shell/account-fields.tsx";
import { EntryFrame } from "../../shell/entry.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure, ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

const IN_HASH = /(?:^|[#&])token=([\w-]{1,200})/;

export function ResetPasswordPage() {
  const { hash } = useLocation();
  const token = IN_HASH.exec(hash)?.[1] ?? "";
  const { data: offer, error, refetch } = useQuery({ ...resetQuery(token), enabled: token !== "" });
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const navigate = useNavigate();
  const reset = useResetPassword();
  const isGone = (one: unknown) => codeOf(one) === "link_invalid" || codeOf(one) === "validation_failed";
  if (token === "" || isGone(error) || codeOf(reset.error) === "link_invalid") {
    return (
      <EntryFrame title={account.reset.gone} lead={account.reset.goneDetail}>
        <Link to="/forgot-password" className={buttonClass({ tone: "primary", size: "large", wide: true })}>
          {account.reset.again}
        </Link>
      </EntryFrame>
    );
  }
  if (error) {
    return (
      <EntryFrame title={account.reset.title}>
        <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />
      </EntryFrame>
    );
  }
  if (!offer) {
    return (
      <EntryFrame title={account.reset.title}>
        <SkeletonRows rows={3} />
      </EntryFrame>
    );
  }
  const { email } = offer;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (isShortPassword(password)) return;
    reset.mutate(
      { token, password },
      {
        onSuccess: () => {
          toast.done(account.reset.done);
          void navigate({ to: "/sign-in", search: { email } });
        },
      },
    );
  };
  const fault = faultAt(reset.error, "/password");
  return (
    <EntryFrame title={account.reset.title} lead={account.reset.lead(email)}>
      <form onSubmit={submit}>
        {reset.error && !fault ? <ProblemNotice problem={problemOf(reset.error)} /> : null}
        {/* Password managers identify the account by this field. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <NewPasswordField label={account.me.new} tried={tried} value={password} onChange={setPassword} error={fault} />
        <Button type="submit" tone="primary" size="large" wide busy={reset.isPending}>
          {account.reset.submit}
        </Button>
      </form>
    </EntryFrame>
  );
}
