import { useQuery } from "@tanstack/react-query";
import { CircleAlert, History } from "lucide-react";
import type { AccountEvent } from "../../../sdk/definition.ts";
import { eventsQuery } from "../../data/factors.ts";
import { account as words } from "../../messages/en-account.ts";
import { QueryList } from "../../shell/query-list.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { browserName } from "./browser-name.ts";
import rows from "../../ui/rows.module.css";

const BAD: ReadonlySet<AccountEvent["type"]> = new Set(["sign_in_failed", "factor_failed"]);

function Row({ event: { at, type, address, userAgent } }: { event: AccountEvent }) {
  const Icon = BAD.has(type) ? CircleAlert : History;
  return (
    <li className={rows.row}>
      <Icon size={16} aria-hidden />
      <div className={rows.text}>
        <span className={rows.name}>{words.activity.types[type]}</span>
        <span className={rows.detail}>
          {userAgent === null ? null : <>{browserName(userAgent)} · </>}
          {address === null ? null : <>{address} · </>}
          <Time at={at} />
        </span>
      </div>
    </li>
  );
}

/** Recent activity of the account: sign-ins, failed ones, and changes of how to sign in. */
export function ActivityCard() {
  const query = useQuery(eventsQuery);
  return (
    <Card flush title={words.activity.title} lead={words.activity.lead}>
      <QueryList small rows={3} query={query} empty={<Empty small title={words.activity.empty} />}>
        {event => <Row key={event.id} event={event} />}
      </QueryList>
    </Card>
  );
}
