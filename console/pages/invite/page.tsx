import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useNavigate, useRouteContext } from "@tanstack/react-router";
import { useState } from "react";
import { inviteQuery, useAcceptInvite, useDeclineInvite } from "../../data/invites.ts";
import { codeOf, problemOf } from "../../data/problem.ts";
import { useSession } from "../../data/session.ts";
import { account } from "../../messages/en-account.ts";
import { m } from "../../messages/index.ts";
import { EntryFrame } from "../../shell/entry.tsx";
import { SignOut } from "../../shell/sign-out.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure, ProblemNotice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./invite.module.css";

/** The codes of refusals whose detail names the person to ask. */
const NAMED = new Set(["invite_used", "invite_expired", "invite_declined"]);
const GONE = new Set([...NAMED, "not_found", "already_member"]);

/** Shown for an invitation that can no longer be accepted. */
const Ended = ({ title, lead }: { title: string; lead: string }) => (
  <EntryFrame title={title} lead={lead}>
    <Link to="/" className={buttonClass({ size: "large", wide: true })}>
      {m.places.home}
    </Link>
  </EntryFrame>
);

export function InvitePage() {
  const { pathname } = useLocation();
  const { token = "" } = useRouteContext({ from: "/invite" });
  const { data: offer, error, refetch } = useQuery({ ...inviteQuery(token), enabled: token !== "" });
  const session = useSession();
  const navigate = useNavigate();
  const accept = useAcceptInvite();
  const [leaving, setLeaving] = useState(false);
  const decline = useDeclineInvite();
  const failure = accept.error ?? decline.error ?? error;
  const code = codeOf(failure) ?? "";
  if (token === "" || GONE.has(code)) {
    // The service names the person who can send a new invitation.
    const detail = NAMED.has(code) ? problemOf(failure).detail : "";
    const title = code === "invite_declined" ? account.invite.declined : account.invite.gone;
    return <Ended title={title} lead={detail || account.invite.goneDetail} />;
  }
  if (error) {
    return (
      <EntryFrame title={account.invite.heading}>
        <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />
      </EntryFrame>
    );
  }
  if (!offer) {
    return (
      <EntryFrame title={account.invite.heading}>
        <SkeletonRows rows={3} />
      </EntryFrame>
    );
  }
  const { workspaceName, invitedBy, role, email } = offer;
  if (decline.isSuccess) {
    return <Ended title={account.invite.declined} lead={account.invite.declinedDetail(invitedBy)} />;
  }
  const user = session.status === "in" ? session.user : undefined;
  const mine = user?.email;
  const isMine = mine === email;
  const take = () =>
    accept.mutate(token, {
      onSuccess: ({ slug, name }) => {
        toast.done(account.invite.joined(name));
        void navigate({ to: "/w/$w", params: { w: slug } });
      },
    });
  return (
    <EntryFrame title={account.invite.title(workspaceName)} lead={account.invite.lead(invitedBy, m.role[role])}>
      <div className={styles.acts}>
        {failure ? <ProblemNotice problem={problemOf(failure)} /> : null}
        {mine !== undefined && !isMine ? (
          <>
            <p>{account.invite.otherAccount(mine, email)}</p>
            <Button tone="primary" size="large" wide onClick={() => setLeaving(true)}>
              {account.invite.switchAccount}
            </Button>
            {user && leaving ? <SignOut userId={user.id} onStay={() => setLeaving(false)} /> : null}
          </>
        ) : null}
        {isMine ? (
          <Button tone="primary" size="large" wide busy={accept.isPending} onClick={take}>
            {account.invite.accept}
          </Button>
        ) : null}
        {mine === undefined ? (
          <>
            <p>
              {account.invite.under(email)} {account.invite.signInFirst}
            </p>
            <Link
              to="/sign-up"
              search={{ next: pathname, email }}
              className={buttonClass({ tone: "primary", size: "large", wide: true })}
            >
              {account.signUp.submit}
            </Link>
            <Link
              to="/sign-in"
              search={{ next: pathname, email }}
              className={buttonClass({ size: "large", wide: true })}
            >
              {account.signIn.submit}
            </Link>
          </>
        ) : null}
        {mine === undefined || isMine ? (
          <Button tone="quiet" size="large" wide busy={decline.isPending} onClick={() => decline.mutate(token)}>
            {account.invite.decline}
          </Button>
        ) : null}
      </div>
    </EntryFrame>
  );
}
