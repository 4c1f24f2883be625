import { useNavigate, useParams } from "@tanstack/react-router";
import { ShieldAlert } from "lucide-react";
import type { ComponentType } from "react";
import { useMe } from "../../data/session.ts";
import { operator as words } from "../../messages/en-operator.ts";
import { useAddCrumbs } from "../../shell/crumbs.ts";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import styles from "./operator.module.css";
import { StatusSection } from "./status.tsx";
import { UsersSection } from "./users.tsx";
import { WorkspacesSection } from "./workspaces.tsx";

const SECTIONS = ["status", "users", "workspaces"] as const;
type Section = (typeof SECTIONS)[number];
const SHOWN: Record<Section, ComponentType> = {
  status: StatusSection,
  users: UsersSection,
  workspaces: WorkspacesSection,
};

/** The pages for operators, about the whole installation. */
export function OperatorPage() {
  const { tab } = useParams({ from: "/authed/operator/$tab" });
  const { operator } = useMe();
  const navigate = useNavigate();
  const section: Section = SECTIONS.find(name => name === tab) ?? "status";
  useAddCrumbs([
    { title: words.title, href: "/operator/status" },
    ...(operator ? [{ title: words.tab[section] }] : []),
  ]);
  if (!operator) {
    return (
      <Page title={words.title} narrow>
        <Empty icon={<ShieldAlert size={20} aria-hidden />} title={words.only}>
          {words.onlyDetail}
        </Empty>
      </Page>
    );
  }
  const Shown = SHOWN[section];
  return (
    <Page title={words.title} lead={words.lead} narrow>
      <Tabs
        label={words.sections}
        value={section}
        onChange={next => void navigate({ to: "/operator/$tab", params: { tab: next } })}
        tabs={SECTIONS.map(value => ({ value, label: words.tab[value] }))}
      >
        <div className={styles.section}>
          <Shown />
        </div>
      </Tabs>
    </Page>
  );
}
