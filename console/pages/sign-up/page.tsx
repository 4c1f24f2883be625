import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import { codeOf, faultAt, secondsLeft, sentencesOf } from "../../data/problem.ts";
import { signUp } from "../../data/session.ts";
import { createWorkspace, installationQuery } from "../../data/workspaces.ts";
import { account } from "../../messages/en-account.ts";
import { m } from "../../messages/index.ts";
import { inviteFor } from "../invite/token.ts";
import { safePath } from "../../search.ts";
import { EmailField, NewPasswordField, isShortPassword } from "../../shell/account-fields.tsx";
import { EntryFrame } from "../../shell/entry.tsx";
import { FormError } from "../../shell/form-error.tsx";
import { Or, ProviderButtons } from "../../shell/providers.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";

function messageOf(error: unknown, now: number): string {
  const code = codeOf(error);
  if (code === "rate_limited") return m.problem.tooManyTries(secondsLeft(error, now));
  if (code === "registration_closed") return account.signUp.closed("invite", undefined);
  return sentencesOf(error);
}

export function SignUpPage() {
  const { next, email: given } = useSearch({ from: "/sign-up" });
  const [name, setName] = useState("");
  const [email, setEmail] = useState(given ?? "");
  const [password, setPassword] = useState("");
  const [tried, setTried] = useState(false);
  const router = useRouter();
  const { data: installation } = useQuery(installationQuery);
  const invite = inviteFor(next);
  const register = useMutation({
    async mutationFn() {
      const person = name.trim();
      await signUp({ email, password, ...(person && { name: person }), ...(invite !== undefined && { invite }) });
      // A new user gets a workspace. An invited user joins the one in the invitation.
      if (invite === undefined)
        await createWorkspace(person ? account.signUp.workspaceOf(person.split(/\s/)[0]!) : account.signUp.myWorkspace);
    },
    onSuccess: () => router.history.push(safePath(next)),
    meta: { shown: true },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isShortPassword(password)) register.mutate();
  };
  const haveAccount = (
    <>
      {account.signUp.haveAccount}{" "}
      <Link to="/sign-in" search={{ next, email: email || undefined }}>
        {account.signUp.signIn}
      </Link>
    </>
  );
  const registration = installation?.registration;
  const isFirst = registration === "first";
  if (registration === "closed" || (registration === "invite" && invite === undefined)) {
    return (
      <EntryFrame title={account.signUp.closedTitle} lead={account.signUp.closed(registration, installation?.contact)}>
        <Link to="/sign-in" search={{ next }} className={buttonClass({ size: "large", wide: true })}>
          {account.signUp.signIn}
        </Link>
      </EntryFrame>
    );
  }
  const isTaken = codeOf(register.error) === "email_taken";
  const fields = { email: faultAt(register.error, "/email"), password: faultAt(register.error, "/password") };
  const isElsewhere = register.error && !isTaken && !fields.email && !fields.password;
  return (
    <EntryFrame
      title={account.signUp.title}
      lead={isFirst ? account.signUp.first : undefined}
      foot={isFirst ? undefined : haveAccount}
    >
      <ProviderButtons next={next} invite={invite} />
      {installation && !installation.ssoOnly && installation.sso.length > 0 ? <Or /> : null}
      <form onSubmit={submit} noValidate={false} hidden={installation?.ssoOnly}>
        {isElsewhere ? <FormError error={register.error} text={messageOf} /> : null}
        <TextField
          label={account.signUp.name}
          name="name"
          autoComplete="name"
          maxLength={200}
          required
          value={name}
          onChange={event => setName(event.target.value)}
        />
        <EmailField
          readOnly={invite !== undefined && given !== undefined}
          error={isTaken ? account.signUp.taken : fields.email}
          value={email}
          onChange={setEmail}
        />
        <NewPasswordField
          label={account.signIn.password}
          tried={tried}
          value={password}
          onChange={setPassword}
          error={fields.password}
        />
        <Button type="submit" tone="primary" size="large" wide busy={register.isPending}>
          {account.signUp.submit}
        </Button>
      </form>
    </EntryFrame>
  );
}
