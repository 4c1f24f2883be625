import { useQuery } from "@tanstack/react-query";
import { CircleAlert, History } from "lucide-react";
import type { AccountEvent } from "../../../sdk/definition.ts";
import { eventsQuery } from "../../data/factors.ts";
import { problemOf } from "../../data/problem.ts";
import { account as words } from "../../messages/en-account.ts";
import { Card } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { browserName } from "./browser-name.ts";
import styles from "./me.module.css";

const BAD: ReadonlySet<AccountEvent["type"]> = new Set(["sign_in_failed", "factor_failed"]);

function Row({ event: { at, type, address, userAgent } }: { event: AccountEvent }) {
  const Icon = BAD.has(type) ? CircleAlert : History;
  return (
    <li className={styles.session}>
      <Icon size={16} aria-hidden />
      <div className={styles.sessionText}>
        <span className={styles.sessionName}>{words.activity.types[type]}</span>
        <span className={styles.sessionDetail}>
          {userAgent === null ? null : <>{browserName(userAgent)} · </>}
          {address === null ? null : <>{address} · </>}
          <Time at={at} />
        </span>
      </div>
    </li>
  );
}

/** What was done with the account lately: sign-ins, failures, and changes of how to sign in. */
export function ActivityCard() {
  const { data, error, refetch } = useQuery(eventsQuery);
  return (
    <Card flush title={words.activity.title} lead={words.activity.lead}>
      {error && !data ? <Failure small problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <SkeletonRows rows={3} /> : null}
      {data?.length === 0 ? <Empty small title={words.activity.empty} /> : null}
      <ul>
        {data?.map(event => (
          <Row key={event.id} event={event} />
        ))}
      </ul>
    </Card>
  );
}
