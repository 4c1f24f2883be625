import { Link, useSearch } from "@tanstack/react-router";
import { useCommandCode } from "../../data/command.ts";
import { problemOf } from "../../data/problem.ts";
import { useSession } from "../../data/session.ts";
import { command as words } from "../../messages/en-command.ts";
import { EntryFrame } from "../../shell/entry.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Notice, ProblemNotice } from "../../ui/states.tsx";

const CHALLENGE = /^[\w-]{43}$/;

/**
 * Gives a sign-in code to the command line. The user must press a button first, because someone else may have sent the
 * link.
 */
export function CommandPage() {
  const { challenge = "" } = useSearch({ from: "/command" });
  const session = useSession();
  const make = useCommandCode();
  if (!CHALLENGE.test(challenge) || session.status !== "in") {
    return (
      <EntryFrame title={words.gone} lead={words.goneDetail}>
        <Link to="/" className={buttonClass({ size: "large", wide: true })}>
          {words.toApp}
        </Link>
      </EntryFrame>
    );
  }
  if (make.data) {
    return (
      <EntryFrame title={words.codeTitle} lead={words.codeLead}>
        <ShownOnce value={make.data.code} label={words.code} />
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title={words.title} lead={words.lead(session.user.email)}>
      <Notice tone="warn">{words.warning}</Notice>
      {make.error ? <ProblemNotice problem={problemOf(make.error)} /> : null}
      <Button tone="primary" size="large" wide busy={make.isPending} onClick={() => make.mutate(challenge)}>
        {words.show}
      </Button>
    </EntryFrame>
  );
}
