import { Link } from "@tanstack/react-router";
import { FileUp, Globe, Inbox, type LucideIcon, Plus, UserCheck } from "lucide-react";
import { FIRST_TEMPLATES } from "../../data/templates.ts";
import { words } from "../../messages/en-next-steps.ts";
import { words as making } from "../../messages/en-new-workflow.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { useOpenTemplate } from "../templates/use-template.ts";
import { useNewWorkflow } from "../workflows/use-new-workflow.tsx";
import styles from "./first-tiles.module.css";

interface TileProps {
  icon: LucideIcon;
  title: string;
  detail: string;
  busy?: boolean;
  onClick: () => void;
}

const Tile = ({ icon: Icon, title, detail, busy = false, onClick }: TileProps) => (
  <li>
    <button type="button" className={styles.tile} aria-busy={busy || undefined} onClick={busy ? undefined : onClick}>
      <Icon size={20} aria-hidden />
      <span className={styles.name}>{title}</span>
      <span className={styles.text}>{detail}</span>
    </button>
  </li>
);

interface FirstTilesProps {
  title: string;
  lead: string;
  /** Whether to offer one more template. */
  more?: boolean;
}

/** Suggested templates for a new workspace. The first one needs neither a model nor a network. */
export default function FirstTiles({ title, lead, more = false }: FirstTilesProps) {
  const { role, slug: w } = useWorkspace();
  const { open, opening } = useOpenTemplate();
  const { blank, fromFile, busy, parts } = useNewWorkflow();
  if (!includesRole(role, "editor")) {
    return (
      <Card>
        <Empty small title={m.workflows.empty}>
          {m.home.mayNot}
        </Empty>
      </Card>
    );
  }
  const template = (id: string) => ({ busy: opening === id, onClick: () => open({ id }) });
  return (
    <Card
      title={title}
      lead={lead}
      aside={
        <Link to="/w/$w/templates" params={{ w }} className={buttonClass({ tone: "quiet", size: "small" })}>
          {making.allTemplates}
        </Link>
      }
    >
      <ul className={styles.tiles}>
        <Tile icon={UserCheck} {...words.first.ask} {...template(FIRST_TEMPLATES.ask)} />
        <Tile icon={Globe} {...words.first.watch} {...template(FIRST_TEMPLATES.watch)} />
        {more ? <Tile icon={Inbox} {...words.first.form} {...template(FIRST_TEMPLATES.form)} /> : null}
        <Tile icon={FileUp} title={making.importN8n} detail={making.importDetail} onClick={fromFile} />
        <Tile icon={Plus} title={making.blank} detail={making.blankDetail} busy={busy} onClick={blank} />
      </ul>
      {parts}
    </Card>
  );
}
