import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import { signInFault } from "../../data/problem.ts";
import { signIn } from "../../data/session.ts";
import { installationQuery } from "../../data/workspaces.ts";
import { m } from "../../messages/index.ts";
import { safePath } from "../../search.ts";
import { EntryFrame } from "../../shell/entry.tsx";
import { Button } from "../../ui/button.tsx";
import { PasswordField, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";

export function SignInPage() {
  const { next, email: given } = useSearch({ from: "/sign-in" });
  const [email, setEmail] = useState(given ?? "");
  const [password, setPassword] = useState("");
  const router = useRouter();
  const { data: installation } = useQuery(installationQuery);
  const enter = useMutation({
    mutationFn: () => signIn(email, password),
    onSuccess: () => router.history.push(safePath(next)),
    meta: { shown: true },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    enter.mutate();
  };
  return (
    <EntryFrame
      title={m.signIn.title}
      foot={
        installation?.registration === "closed" || installation?.registration === "invite" ? undefined : (
          <>
            {m.signIn.noAccount}{" "}
            <Link to="/sign-up" search={{ next, email: email || undefined }}>
              {m.signIn.register}
            </Link>
          </>
        )
      }
    >
      <form onSubmit={submit}>
        {enter.error ? <Notice tone="bad">{signInFault(enter.error)}</Notice> : null}
        <TextField
          label={m.signIn.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          onChange={event => setEmail(event.target.value)}
        />
        <PasswordField
          label={m.signIn.password}
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={event => setPassword(event.target.value)}
        />
        <Button type="submit" tone="primary" size="large" wide busy={enter.isPending}>
          {m.signIn.submit}
        </Button>
      </form>
    </EntryFrame>
  );
}
