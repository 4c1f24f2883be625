import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Workspace } from "../../sdk/definition.ts";
import { builderPath } from "../data/paths.ts";
import { templatesQuery, workflowsQuery } from "../data/workflows.ts";
import { searchQuery } from "../data/workspace-search.ts";
import { words } from "../messages/en-palette.ts";
import { settings } from "../messages/en-settings.ts";
import { m } from "../messages/index.ts";
import { takeBufferedKeys } from "../ui/key-buffer.ts";
import { type PaletteItem, PaletteDialog } from "../ui/palette.tsx";
import { GROUPS, pathOfResult } from "./search-results.ts";
import { useAllCommands } from "./shortcuts.ts";

/** The sections of the settings that the palette lists as places. */
const SECTIONS = ["members", "spaces", "keys", "credentials", "variables", "usage", "audit"] as const;

/** The command palette: finds every command and place by name, and searches the workspace on the service. */
export default function Palette({ workspace, onClose }: { workspace: Workspace | undefined; onClose: () => void }) {
  const commands = useAllCommands();
  const navigate = useNavigate();
  const [early] = useState(takeBufferedKeys);
  const [typed, setTyped] = useState(early);
  const [workspaceId, w] = [workspace?.id ?? "", workspace?.slug ?? ""];
  const enabled = workspace !== undefined;
  const { data: workflows = [] } = useQuery({ ...workflowsQuery(workspaceId), enabled });
  const { data: templates = [] } = useQuery({ ...templatesQuery, enabled });
  const asked = typed.trim();
  const { data: answer, isError } = useQuery(searchQuery(workspaceId, asked));
  // Things that only a search should show. Without typed text the list stays short.
  const asks = asked !== "";
  const found = asks ? (answer?.items ?? []) : [];
  const named = new Set(found.filter(({ type }) => type === "workflow").map(({ id }) => id));
  const missing = asks && (isError || (answer?.missing.length ?? 0) > 0);
  const items: PaletteItem[] = [
    ...commands
      .filter(one => one.id !== "palette")
      .map(({ id: name, title, keys, words: more, run }) => ({
        ...{ id: name, title, keys, words: more, run },
        group: words.commands,
      })),
    ...workflows
      .filter(({ id }) => !named.has(id))
      .map(flow => ({
        id: `workflow-${flow.id}`,
        title: flow.name,
        group: m.places.workflows,
        run: () => void navigate({ to: builderPath(w, flow) }),
      })),
    ...found.map(one => ({
      id: `${one.type}-${one.id}-${one.nodeId ?? ""}`,
      title: one.title,
      detail: one.subtitle ?? undefined,
      // The service has already matched the words, and it ignores accents.
      words: asked,
      group: GROUPS[one.type],
      run: () => void navigate({ to: pathOfResult(one, w) }),
    })),
    ...(asks ? workflows : []).map(flow => ({
      id: `runs-${flow.id}`,
      title: words.runsOf(flow.name),
      group: m.places.runs,
      run: () => void navigate({ to: "/w/$w/runs", params: { w }, search: { workflow: flow.id } }),
    })),
    ...(asks ? templates : []).map(({ id: template, name, tags }) => ({
      id: `template-${template}`,
      title: name,
      words: tags.join(" "),
      group: m.places.templates,
      run: () => void navigate({ to: "/w/$w/templates/$id", params: { w, id: template } }),
    })),
    ...(enabled && asks
      ? SECTIONS.map(tab => ({
          id: `settings-${tab}`,
          title: settings.settings.tab[tab],
          words: words.sections[tab],
          group: m.places.settings,
          run: () => void navigate({ to: "/w/$w/settings/$tab", params: { w, tab } }),
        }))
      : []),
  ];
  return (
    <PaletteDialog
      items={items}
      typed={early}
      onType={setTyped}
      placeholder={m.shell.search}
      nothing={words.nothing}
      note={missing ? words.notAll : undefined}
      onClose={onClose}
    />
  );
}
