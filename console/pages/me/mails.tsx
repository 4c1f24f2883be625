import { useQuery } from "@tanstack/react-query";
import { useUpdateMe } from "../../data/me.ts";
import { useMe } from "../../data/session.ts";
import { installationQuery } from "../../data/workspaces.ts";
import { m } from "../../messages/index.ts";
import { Card } from "../../ui/page.tsx";
import { Segmented } from "../../ui/segmented.tsx";

/** Whether notifications come by mail, where the installation sends mails. */
export function MailsCard() {
  const { mails } = useMe();
  const { data: installation } = useQuery(installationQuery);
  const update = useUpdateMe();
  if (!installation?.mail) return null;
  return (
    <Card title={m.mails.title}>
      <Segmented
        label={m.mails.label}
        hint={m.mails.hint}
        value={mails}
        onChange={next => update.mutate({ mails: next })}
        options={(["none", "now", "hourly"] as const).map(value => ({ value, label: m.mails.choices[value] }))}
      />
    </Card>
  );
}
