import { useQuery } from "@tanstack/react-query";
import { Globe, Terminal } from "lucide-react";
import type { Session } from "../../../sdk/definition.ts";
import { sessionsQuery, useEndSession } from "../../data/me.ts";
import { problemOf } from "../../data/problem.ts";
import { account } from "../../messages/en-account.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { browserName } from "./browser-name.ts";
import styles from "./me.module.css";

function Row({ session }: { session: Session }) {
  const end = useEndSession();
  const { id, kind, userAgent, address, lastUsedAt, current } = session;
  const Icon = kind === "browser" ? Globe : Terminal;
  const name = kind === "browser" ? browserName(userAgent ?? "") : account.me.program;
  return (
    <li className={styles.session}>
      <Icon size={16} aria-hidden />
      <div className={styles.sessionText}>
        <span className={styles.sessionName}>{name}</span>
        <span className={styles.sessionDetail}>
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

export function SessionsCard() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  return (
    <Card flush title={account.me.sessions} lead={account.me.sessionsLead}>
      {error && !data ? <Failure small problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <SkeletonRows rows={2} /> : null}
      <ul>
        {data?.map(session => (
          <Row key={session.id} session={session} />
        ))}
      </ul>
    </Card>
  );
}
