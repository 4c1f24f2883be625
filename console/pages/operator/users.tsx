import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { UserPlus, UserX } from "lucide-react";
import { useState } from "react";
import {
  type OperatedUser,
  operatedUsersQuery,
  type ResetLink,
  useEnableUser,
  useMakeResetLink,
  useUserAct,
} from "../../data/operator.ts";
import { operator as words } from "../../messages/en-operator.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { Button } from "../../ui/button.tsx";
import { PagedList } from "../../shell/paged-list.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { CreateUserDialog, LinkDialog } from "./link-dialogs.tsx";
import { useListSearch } from "./list-search.tsx";
import { type UserAct, UserRow } from "./user-row.tsx";

type Asked = Exclude<UserAct, "reset" | "enable">;
const DONE = {
  endSessions: words.sessionsEnded,
  removeFactors: words.factorsRemoved,
  remove: words.removed,
  disable: words.disabledNow,
};
const VERBS: Record<Asked, string> = {
  endSessions: words.endSessions,
  removeFactors: words.removeFactors,
  disable: words.disable,
  remove: words.remove,
};

/** All accounts, with the actions for operators. */
export function UsersSection() {
  const { search, field } = useListSearch("users", words.searchUsers);
  const query = useInfiniteQuery({ ...operatedUsersQuery(search), placeholderData: keepPreviousData });
  const [creates, setCreates] = useState(false);
  const [link, setLink] = useState<{ email: string; made: Pick<ResetLink, "link" | "expiresAt"> }>();
  const [asked, setAsked] = useState<{ act: Asked; user: OperatedUser }>();
  const makeLink = useMakeResetLink();
  const enable = useEnableUser();
  const act = useUserAct();
  const on = (user: OperatedUser, wanted: UserAct) => {
    const { id: userId, email } = user;
    if (wanted === "reset") makeLink.mutate(userId, { onSuccess: made => setLink({ email, made }) });
    else if (wanted === "enable") enable.mutate(userId, { onSuccess: () => toast.done(words.enabledNow(email)) });
    else setAsked({ act: wanted, user });
  };
  const confirm = () => {
    if (!asked) return undefined;
    const { id: userId, email } = asked.user;
    return act.mutateAsync({ act: asked.act, userId }, { onSuccess: () => toast.done(DONE[asked.act](email)) });
  };
  return (
    <>
      <Card
        flush
        title={words.users}
        lead={words.usersLead}
        aside={
          <Button tone="primary" icon={<UserPlus size={14} aria-hidden />} onClick={() => setCreates(true)}>
            {words.create}
          </Button>
        }
      >
        {field}
        <PagedList
          query={query}
          empty={
            <Empty small icon={<UserX size={20} aria-hidden />} title={words.noUsers}>
              {words.noUsersDetail}
            </Empty>
          }
        >
          {user => <UserRow key={user.id} user={user} onAct={wanted => on(user, wanted)} />}
        </PagedList>
      </Card>
      <CreateUserDialog
        open={creates}
        onClose={() => setCreates(false)}
        onMade={made => {
          setCreates(false);
          setLink({ email: made.email, made: { link: made.link, expiresAt: made.linkExpiresAt } });
        }}
      />
      <LinkDialog shown={link} onClose={() => setLink(undefined)} />
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={asked ? words.ask[asked.act].title(asked.user.email) : ""}
        confirm={asked ? VERBS[asked.act] : ""}
        onConfirm={confirm}
      >
        {asked ? words.ask[asked.act].detail : ""}
      </Confirm>
    </>
  );
}
