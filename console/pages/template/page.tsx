import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { templatesQuery } from "../../data/workflows.ts";
import { words } from "../../messages/en-templates.ts";
import { useAddCrumbs } from "../../shell/crumbs.ts";
import { RoleButton } from "../../shell/role-button.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { lazy } from "../../ui/lazy.tsx";
import { NoTemplate } from "./no-template.tsx";
import { Preview } from "./preview.tsx";

const UseDialog = lazy(() => import("../templates/use-dialog.tsx"));

/** The page of a template: its graph, its steps, its input and what it needs. */
export function TemplatePage() {
  const { id } = useParams({ from: "/authed/w/$w/templates/$id" });
  const { s } = useSearch({ from: "/authed/w/$w/templates/$id" });
  const [uses, setUses] = useState(false);
  const { slug: w } = useWorkspace();
  const { data, error, refetch } = useQuery(templatesQuery);
  const template = data?.find(one => one.id === id);
  const crumb = { title: words.title, href: `/w/${w}/templates` };
  useAddCrumbs(template ? [crumb, { title: template.name }] : [crumb]);
  if (template) {
    const use = (
      <RoleButton least="editor" tone="primary" onClick={() => setUses(true)}>
        {words.use}
      </RoleButton>
    );
    return (
      <>
        <Preview key={id} template={template} action={use} />
        {uses ? (
          <Suspense>
            <UseDialog template={template} spaceId={s} onClose={() => setUses(false)} />
          </Suspense>
        ) : null}
      </>
    );
  }
  return <NoTemplate w={w} isMissing={data !== undefined} error={error} onRetry={() => void refetch()} />;
}
