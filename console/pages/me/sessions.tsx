import { useQuery } from "@tanstack/react-query";
import { Globe, Terminal } from "lucide-react";
import { useState } from "react";
import type { Session } from "../../../sdk/definition.ts";
import { sessionsQuery, useEndOtherSessions, useEndSession } from "../../data/me.ts";
import { account } from "../../messages/en-account.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { QueryList } from "../../shell/query-list.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { browserName } from "./browser-name.ts";
import rows from "../../ui/rows.module.css";
import styles from "./me.module.css";

function Row({ session }: { session: Session }) {
  const end = useEndSession();
  const { id, kind, userAgent, address, lastUsedAt, current } = session;
  const Icon = kind === "browser" ? Globe : Terminal;
  const name = kind === "browser" ? browserName(userAgent ?? "") : account.me.program;
  return (
    <li className={rows.row}>
      <Icon size={16} aria-hidden />
      <div className={rows.text}>
        <span className={rows.name}>{name}</span>
        <span className={rows.detail}>
          {address === null ? null : <>{address} · </>}
          {account.me.used} <Time at={lastUsedAt} />
        </span>
      </div>
      {current ? (
        <span className={styles.here}>{account.me.thisSession}</span>
      ) : (
        <Button
          size="small"
          busy={end.isPending}
          aria-label={`${account.me.end}: ${name}`}
          onClick={() => end.mutate(id, { onSuccess: () => toast.done(account.me.ended) })}
        >
          {account.me.end}
        </Button>
      )}
    </li>
  );
}

/** Ends all other sessions, after a confirmation. */
function EndOthers() {
  const [asks, setAsks] = useState(false);
  const end = useEndOtherSessions();
  const close = () => setAsks(false);
  const confirm = () => end.mutateAsync(undefined, { onSuccess: () => toast.done(account.me.othersEnded) });
  return (
    <>
      <Button size="small" onClick={() => setAsks(true)}>
        {account.me.endOthers}
      </Button>
      <Confirm
        open={asks}
        onClose={close}
        title={account.me.endOthersTitle}
        confirm={account.me.endOthers}
        onConfirm={confirm}
      >
        {account.me.endOthersDetail}
      </Confirm>
    </>
  );
}

export function SessionsCard() {
  const query = useQuery(sessionsQuery);
  const hasOthers = query.data?.some(({ current }) => !current);
  return (
    <Card flush title={account.me.sessions} lead={account.me.sessionsLead} aside={hasOthers ? <EndOthers /> : null}>
      <QueryList small rows={2} query={query} empty={null}>
        {session => <Row key={session.id} session={session} />}
      </QueryList>
    </Card>
  );
}
