import { useMe } from "../../data/session.ts";
import { account } from "../../messages/en-account.ts";
import { Page } from "../../ui/page.tsx";
import { ActivityCard } from "./activity.tsx";
import { AppearanceCard } from "./appearance.tsx";
import { FactorsCard } from "./factors.tsx";
import { MailsCard } from "./mails.tsx";
import { PasswordCard } from "./password.tsx";
import { ProfileCard } from "./profile.tsx";
import { PasskeysCard } from "./passkeys.tsx";
import { ProvidersCard } from "./providers.tsx";
import { SessionsCard } from "./sessions.tsx";

export function MePage() {
  const { email, hasPassword } = useMe();
  return (
    <Page title={account.me.title} lead={email} narrow>
      <ProfileCard />
      <AppearanceCard />
      <MailsCard />
      {hasPassword ? <PasswordCard /> : null}
      <PasskeysCard />
      <ProvidersCard />
      <FactorsCard />
      <SessionsCard />
      <ActivityCard />
    </Page>
  );
}
