import { useQuery } from "@tanstack/react-query";
import { useUpdateMe } from "../../data/me.ts";
import { useMe } from "../../data/session.ts";
import { installationQuery } from "../../data/workspaces.ts";
import { account as words } from "../../messages/en-account.ts";
import { Card } from "../../ui/page.tsx";
import { Segmented } from "../../ui/segmented.tsx";

/** Whether notifications come by mail. Shown if the installation sends mails. */
export function MailsCard() {
  const { mails } = useMe();
  const { data: installation } = useQuery(installationQuery);
  const update = useUpdateMe();
  if (!installation?.mail) return null;
  return (
    <Card title={words.mails.title}>
      <Segmented
        label={words.mails.label}
        hint={words.mails.hint}
        value={mails}
        onChange={next => update.mutate({ mails: next })}
        options={(["none", "now", "hourly"] as const).map(value => ({ value, label: words.mails.choices[value] }))}
      />
    </Card>
  );
}
