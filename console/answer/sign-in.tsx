import { type SyntheticEvent, useState } from "react";
import { codeOf, signInFault } from "../data/problem.ts";
import { signIn } from "../data/session.ts";
import { account } from "../messages/en-account.ts";
import { answerTexts } from "../messages/en-answers.ts";
import { CodeField, CurrentPasswordField, EmailField } from "../shell/account-fields.tsx";
import { EntryFrame } from "../shell/entry.tsx";
import { FormError } from "../shell/form-error.tsx";
import { Button } from "../ui/button.tsx";

/** Signs in at the address of the question. */
export function SignIn({ again }: { again: boolean }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState<string>();
  const [fault, setFault] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await signIn(email, password, code);
    } catch (error) {
      setBusy(false);
      if (codeOf(error) === "second_factor_required") return setCode("");
      setFault(error);
    }
  };
  return (
    <EntryFrame title={account.signIn.title} lead={again ? answerTexts.question.kept : answerTexts.question.signInLead}>
      <form onSubmit={submit}>
        {fault ? <FormError error={fault} text={signInFault} /> : null}
        <EmailField value={email} onChange={setEmail} />
        <CurrentPasswordField label={account.signIn.password} value={password} onChange={setPassword} />
        {code === undefined ? null : <CodeField value={code} onChange={setCode} hint={account.signIn.codeLead} />}
        <Button type="submit" tone="primary" size="large" wide busy={busy}>
          {account.signIn.submit}
        </Button>
      </form>
    </EntryFrame>
  );
}
