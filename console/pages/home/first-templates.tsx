import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { templatesQuery, useUseTemplate } from "../../data/workflows.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./first-templates.module.css";

/** Templates that need neither a model nor a tool, in this order; then any others. */
const FIRST = ["Approve an expense", "Watch a website", "Take in a form"];
const SHOWN = 3;

/** The first things that a workspace may do. The first template calls nothing and asks a person. */
export function FirstTemplates() {
  const { id: workspaceId, slug, role } = useWorkspace();
  const { data = [] } = useQuery(templatesQuery);
  const use = useUseTemplate(workspaceId);
  const navigate = useNavigate();
  const place = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  const shown = data.toSorted((a, b) => place(a.name) - place(b.name)).slice(0, SHOWN);
  const mayUse = includesRole(role, "editor");
  return (
    <ul className={styles.templates}>
      {shown.map(template => (
        <li key={template.id} className={styles.template}>
          <h2 className={styles.name}>{template.name}</h2>
          <p className={styles.text}>{template.description.replace(/ (Made for|Input:) .*$/s, "")}</p>
          <Button
            size="small"
            disabled={!mayUse}
            title={mayUse ? undefined : m.needsRole(m.role.editor)}
            busy={use.isPending && use.variables.id === template.id}
            onClick={() =>
              use.mutate(template, {
                onSuccess: ({ id, name }) => {
                  toast.done(m.home.created(name));
                  void navigate({ to: "/w/$w/workflows", params: { w: slug }, search: { run: id } });
                },
              })
            }
          >
            {m.home.useTemplate}
          </Button>
        </li>
      ))}
    </ul>
  );
}
