import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { codeOf, problemOf } from "../../data/problem.ts";
import { NoVisit, visitEndQuery } from "../../data/providers.ts";
import { useSession } from "../../data/session.ts";
import { installationQuery } from "../../data/workspaces.ts";
import { providers as words } from "../../messages/en-providers.ts";
import { safePath } from "../../search.ts";
import { EntryFrame } from "../../shell/entry.tsx";
import { buttonClass } from "../../ui/button.tsx";

interface Words {
  title: string;
  lead: string;
}

/** Why a sign-in with the provider failed, and what helps. */
function faultOf(error: unknown, name: string): Words {
  if (error instanceof NoVisit) return { title: words.unknownTitle, lead: words.unknown };
  const { title, detail } = problemOf(error);
  switch (codeOf(error)) {
    case "sso_refused":
      return { title: words.refusedTitle, lead: detail };
    case "sso_not_linked":
      return { title: words.notLinkedTitle, lead: words.notLinked(name) };
    case "registration_closed":
      return { title: words.closedTitle, lead: words.closed };
    case "account_disabled":
      return { title: words.disabledTitle, lead: words.disabled };
    case "sso_unavailable":
      return { title: words.awayTitle(name), lead: words.away };
    case "sso_linked_elsewhere":
      return { title: words.elsewhereTitle, lead: words.elsewhere(name) };
    default:
      return { title, lead: detail };
  }
}

/** The page to which a provider sends the browser back. */
export function SsoPage() {
  const { provider } = useParams({ from: "/sso/$provider" });
  const { data: next, error } = useQuery(visitEndQuery(provider));
  const { data: installation } = useQuery(installationQuery);
  const session = useSession();
  const router = useRouter();
  useEffect(() => {
    if (next !== undefined) router.history.replace(safePath(next));
  }, [next, router]);
  const name = installation?.sso.find(({ id }) => id === provider)?.name ?? provider;
  if (!error) return <EntryFrame title={words.finishing}>{name}</EntryFrame>;
  const { title, lead } = faultOf(error, name);
  const isIn = session.status === "in";
  return (
    <EntryFrame title={title} lead={lead}>
      <Link to={isIn ? "/me" : "/sign-in"} className={buttonClass({ tone: "primary", size: "large", wide: true })}>
        {isIn ? words.toAccount : words.again}
      </Link>
    </EntryFrame>
  );
}
