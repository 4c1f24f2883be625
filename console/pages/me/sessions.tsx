import { useQuery } from "@tanstack/react-query";
import { Globe, Terminal } from "lucide-react";
import type { Session } from "../../../sdk/definition.ts";
import { sessionsQuery, useEndSession } from "../../data/me.ts";
import { account } from "../../messages/en-account.ts";
import { Listed } from "../../shell/listed.tsx";
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

export function SessionsCard() {
  const query = useQuery(sessionsQuery);
  return (
    <Card flush title={account.me.sessions} lead={account.me.sessionsLead}>
      <Listed small rows={2} query={query} empty={null}>
        {session => <Row key={session.id} session={session} />}
      </Listed>
    </Card>
  );
}
