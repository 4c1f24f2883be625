import { useNavigate, useParams } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { settings as words } from "../../messages/en-settings.ts";
import { useAddCrumbs } from "../../shell/crumbs.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { AuditSection } from "./audit.tsx";
import { CredentialsSection } from "./credentials.tsx";
import { GeneralSection } from "./general.tsx";
import { KeysSection } from "./keys.tsx";
import { MembersSection } from "./members.tsx";
import styles from "./settings.module.css";
import { SpacesSection } from "./spaces.tsx";
import { SECTIONS, type Section } from "./sections.ts";
import { UsageSection } from "./usage.tsx";
import { VariablesSection } from "./variables.tsx";

const SHOWN: Record<Section, ComponentType> = {
  general: GeneralSection,
  members: MembersSection,
  spaces: SpacesSection,
  keys: KeysSection,
  credentials: CredentialsSection,
  variables: VariablesSection,
  usage: UsageSection,
  audit: AuditSection,
};

/** The settings of the workspace: its name, members, keys, credentials and more. */
export function SettingsPage() {
  const { tab } = useParams({ from: "/authed/w/$w/settings/$tab" });
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const section: Section = SECTIONS.find(name => name === tab) ?? "general";
  useAddCrumbs([
    { title: words.settings.title, href: `/w/${slug}/settings/general` },
    { title: words.settings.tab[section], siblings: "settings" },
  ]);
  const Shown = SHOWN[section];
  return (
    <Page title={words.settings.title} narrow>
      <Tabs
        label={words.settings.sections}
        value={section}
        onChange={next => void navigate({ to: "/w/$w/settings/$tab", params: { w: slug, tab: next } })}
        tabs={SECTIONS.map(value => ({ value, label: words.settings.tab[value] }))}
      >
        <div className={styles.section}>
          <Shown />
        </div>
      </Tabs>
    </Page>
  );
}
