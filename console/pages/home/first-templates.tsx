import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileUp, LayoutTemplate, Plus } from "lucide-react";
import { summaryOf } from "../../data/templates.ts";
import { templatesQuery } from "../../data/workflows.ts";
import { words } from "../../messages/en-new-workflow.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { useOpenTemplate } from "../templates/use-template.ts";
import { useNewWorkflow } from "../workflows/use-new-workflow.tsx";
import styles from "./first-templates.module.css";

/** Templates that need neither a model nor a tool, in this order; then any others. */
const FIRST = ["Approve an expense", "Watch a website", "Take in a form"];
const SHOWN = 3;

/** The other ways to a first workflow. */
function OtherWays() {
  const { slug: w } = useWorkspace();
  const { blank, fromFile, busy, parts } = useNewWorkflow();
  return (
    <div className={styles.ways}>
      <span className={styles.or}>{m.home.otherWays}</span>
      <Link to="/w/$w/templates" params={{ w }} className={buttonClass({})}>
        <LayoutTemplate size={14} aria-hidden /> {words.allTemplates}
      </Link>
      <Button icon={<FileUp size={14} aria-hidden />} title={words.importDetail} onClick={fromFile}>
        {words.importN8n}
      </Button>
      <Button icon={<Plus size={14} aria-hidden />} title={words.blankDetail} busy={busy} onClick={blank}>
        {words.blank}
      </Button>
      {parts}
    </div>
  );
}

/** The first things that a workspace may do. The first template calls nothing and asks a person. */
export function FirstTemplates() {
  const { role } = useWorkspace();
  const { data = [] } = useQuery(templatesQuery);
  const { open, opening } = useOpenTemplate();
  const place = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const shown = data.toSorted((a, b) => place(a.name) - place(b.name)).slice(0, SHOWN);
  if (!includesRole(role, "editor")) return <p className={styles.or}>{m.home.mayNot}</p>;
  return (
    <>
      <ul className={styles.templates}>
        {shown.map((template, n) => (
          <li key={template.id} className={styles.template}>
            <h2 className={styles.name}>{template.name}</h2>
            <p className={styles.text}>{summaryOf(template)}</p>
            <Button
              size="small"
              tone={n === 0 ? "primary" : "plain"}
              busy={opening === template.id}
              onClick={() => open(template)}
            >
              {m.home.useTemplate}
            </Button>
          </li>
        ))}
      </ul>
      <OtherWays />
    </>
  );
}
