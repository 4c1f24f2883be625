import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { UserMinus, UserPlus } from "lucide-react";
import { useState } from "react";
import type { Member } from "../../../sdk/definition.ts";
import { problemOf } from "../../data/problem.ts";
import { queryClient } from "../../data/query-client.ts";
import { useMe } from "../../data/session.ts";
import { invitesQuery, type Role, useChangeRole, useRemoveMember, useRevokeInvite } from "../../data/settings.ts";
import { membersQuery, workspacesQuery } from "../../data/workspaces.ts";
import { providers as providerWords } from "../../messages/en-providers.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { m } from "../../messages/index.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Email } from "../../ui/email.tsx";
import { Card } from "../../ui/page.tsx";
import { Select } from "../../ui/select.tsx";
import { Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { GroupsCard } from "./groups.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import rows from "../../ui/rows.module.css";
import { QueryList } from "../../shell/query-list.tsx";
import { RoleButton } from "../../shell/role-button.tsx";
import styles from "./settings.module.css";

const GIVEN: readonly Role[] = ["viewer", "editor", "admin"];
const nameOf = ({ name, email }: Member) => name ?? email ?? "";

function Row({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const { id, role: mine } = useWorkspace();
  const me = useMe();
  const change = useChangeRole(id);
  const name = nameOf(member);
  const isMe = member.userId === me.id;
  const { managedBy } = member;
  const mayChange = includesRole(mine, "admin") && member.role !== "owner" && managedBy === null;
  return (
    <li className={rows.row}>
      <Avatar name={name} size={28} />
      <div className={rows.text}>
        <span className={rows.name}>
          {name} {isMe ? <span className={styles.quiet}>({words.members.you})</span> : null}
        </span>
        <span className={rows.detail}>
          {member.email === null ? null : <Email address={member.email} />}
          {managedBy === null ? null : <> · {providerWords.managed(managedBy)}</>}
        </span>
      </div>
      {mayChange ? (
        <Select
          className={styles.role}
          label={words.members.roleOf(name)}
          hideLabel
          value={member.role}
          options={GIVEN.map(value => ({ value, label: m.role[value], detail: words.members.may[value] }))}
          onChange={role =>
            change.mutate(
              { userId: member.userId, role },
              { onSuccess: () => toast.done(words.members.changed(name, m.role[role])) },
            )
          }
        />
      ) : (
        <span className={styles.fixed}>{m.role[member.role]}</span>
      )}
      {member.role !== "owner" && managedBy === null && (mayChange || isMe) ? (
        <IconButton
          size="small"
          label={isMe ? words.members.leave : words.members.removeOf(name)}
          title={isMe ? words.members.leave : words.members.remove}
          onClick={onRemove}
        >
          <UserMinus size={16} aria-hidden />
        </IconButton>
      ) : (
        <span className={styles.noAct} />
      )}
    </li>
  );
}

function Pending() {
  const { id } = useWorkspace();
  const { data, error, refetch } = useQuery(invitesQuery(id));
  const revoke = useRevokeInvite(id);
  if (error && !data) {
    return (
      <Card flush title={words.members.pending}>
        <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />
      </Card>
    );
  }
  if (!data || data.length === 0) return null;
  return (
    <Card flush title={words.members.pending} lead={words.members.pendingLead}>
      <ul>
        {data.map(({ id: inviteId, email, role, expiresAt }) => (
          <li key={inviteId} className={rows.row}>
            <Avatar name={email} size={28} />
            <div className={rows.text}>
              <span className={rows.name}>
                <Email address={email} />
              </span>
              <span className={rows.detail}>
                {m.role[role]} · {words.members.expires} <Time at={expiresAt} />
              </span>
            </div>
            <Button
              size="small"
              aria-label={words.members.revokeOf(email)}
              busy={revoke.isPending && revoke.variables === inviteId}
              onClick={() => revoke.mutate(inviteId, { onSuccess: () => toast.done(words.members.revoked) })}
            >
              {words.members.revoke}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function MembersSection() {
  const { id, name: workspace, role } = useWorkspace();
  const { id: myId } = useMe();
  const query = useQuery(membersQuery(id));
  const { invite } = useSearch({ from: "/authed/w/$w/settings/$tab" });
  const [leaving, setLeaving] = useState<Member>();
  const remove = useRemoveMember(id);
  const navigate = useNavigate({ from: "/w/$w/settings/$tab" });
  const mayInvite = includesRole(role, "admin");
  // One failure says enough: the other lists most likely fail for the same reason.
  const isFailed = query.error !== null && query.data === undefined;
  const showInvite = (open: boolean) =>
    void navigate({ search: { invite: open ? "1" : undefined }, replace: true, resetScroll: false });
  const isMe = leaving?.userId === myId;
  const gone = () => {
    toast.done(isMe ? words.members.left(workspace) : words.members.removed(nameOf(leaving!)));
    if (isMe) {
      void queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey });
      void navigate({ to: "/" });
    }
  };
  return (
    <>
      <Card
        flush
        title={words.members.title}
        lead={query.data && words.members.lead(query.data.length)}
        aside={
          <RoleButton
            least="admin"
            tone="primary"
            icon={<UserPlus size={14} aria-hidden />}
            onClick={() => showInvite(true)}
          >
            {words.members.invite}
          </RoleButton>
        }
      >
        <QueryList small rows={3} query={query} empty={null}>
          {member => <Row key={member.userId} member={member} onRemove={() => setLeaving(member)} />}
        </QueryList>
      </Card>
      {mayInvite && !isFailed ? (
        <>
          <Pending />
          <GroupsCard />
        </>
      ) : null}
      <InviteDialog open={mayInvite && invite !== undefined} onClose={() => showInvite(false)} />
      <Confirm
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={isMe ? words.members.leaveTitle(workspace) : words.members.removeTitle(leaving ? nameOf(leaving) : "")}
        confirm={isMe ? words.members.leave : words.members.remove}
        onConfirm={() => leaving && remove.mutateAsync(leaving.userId, { onSuccess: gone })}
      >
        {isMe ? words.members.leaveDetail : words.members.removeDetail}
      </Confirm>
    </>
  );
}
