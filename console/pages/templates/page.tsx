import { useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import type { Template } from "../../data/templates.ts";
import { words } from "../../messages/en-templates.ts";
import { RoleButton } from "../../shell/role-button.tsx";
import { useWorkspace } from "../../shell/workspace.ts";
import { lazy } from "../../ui/lazy.tsx";
import { Page } from "../../ui/page.tsx";
import { Gallery } from "./gallery.tsx";

const UseDialog = lazy(() => import("./use-dialog.tsx"));

/** All templates of the installation, by category, with their graphs. */
export function TemplatesPage() {
  const given = useSearch({ from: "/authed/w/$w/templates" });
  const navigate = useNavigate({ from: "/w/$w/templates" });
  const { slug } = useWorkspace();
  const [used, setUsed] = useState<Template>();
  return (
    <Page title={words.title} lead={words.lead}>
      <Gallery
        w={slug}
        given={given}
        onSearch={change =>
          void navigate({ search: before => ({ ...before, ...change }), replace: true, resetScroll: false })
        }
        actionOf={template => (
          <RoleButton least="editor" size="small" onClick={() => setUsed(template)}>
            {words.use}
          </RoleButton>
        )}
      />
      {used ? (
        <Suspense>
          <UseDialog template={used} spaceId={given.s} onClose={() => setUsed(undefined)} />
        </Suspense>
      ) : null}
    </Page>
  );
}
