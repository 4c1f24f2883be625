import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Workspace } from "../../sdk/definition.ts";
import { builderPath, isRunId } from "../data/paths.ts";
import { useNamedThings } from "../data/named-things.ts";
import { workflowsQuery } from "../data/workflows.ts";
import { membersQuery } from "../data/workspaces.ts";
import { settings } from "../messages/en-settings.ts";
import { m } from "../messages/index.ts";
import { heldKeys } from "../ui/held-keys.ts";
import { type PaletteItem, PaletteDialog } from "../ui/palette.tsx";
import { useAllCommands } from "./shortcuts.ts";
import { useOpenRun } from "./use-open-run.ts";

/** The sections of the settings that are places of their own for the palette. */
const SECTIONS = ["members", "keys", "credentials", "variables", "usage", "audit"] as const;

/** Everything that can be done or reached from here by its name. */
export default function Palette({ workspace, onClose }: { workspace: Workspace | undefined; onClose: () => void }) {
  const commands = useAllCommands();
  const navigate = useNavigate();
  const [early] = useState(heldKeys);
  const [typed, setTyped] = useState(early);
  const [workspaceId, w] = [workspace?.id ?? "", workspace?.slug ?? ""];
  const enabled = workspace !== undefined;
  const { data: workflows = [] } = useQuery({ ...workflowsQuery(workspaceId), enabled });
  const { data: people = [] } = useQuery({ ...membersQuery(workspaceId), enabled });
  const { bases, servers, templates } = useNamedThings(workspace?.id);
  const openRun = useOpenRun(workspace);
  const to = (tab: (typeof SECTIONS)[number]) => () => void navigate({ to: "/w/$w/settings/$tab", params: { w, tab } });
  const id = typed.trim().toLowerCase();
  // What a name is typed for. Without it, the list is short enough to read.
  const asks = id !== "";
  const items: PaletteItem[] = [
    ...(enabled && isRunId(id)
      ? [
          {
            id: "run",
            title: m.shell.openRun,
            detail: id,
            words: id,
            group: m.places.runs,
            run: () => void openRun(id),
          },
        ]
      : []),
    ...commands
      .filter(one => one.id !== "palette")
      .map(({ id: name, title, keys, words, run }) => ({ id: name, title, keys, words, run, group: m.shell.commands })),
    ...workflows.map(flow => ({
      id: `workflow-${flow.id}`,
      title: flow.name,
      group: m.places.workflows,
      run: () => void navigate({ to: builderPath(w, flow) }),
    })),
    ...(asks ? workflows : []).map(flow => ({
      id: `runs-${flow.id}`,
      title: m.shell.runsOf(flow.name),
      group: m.places.runs,
      run: () => void navigate({ to: "/w/$w/runs", params: { w }, search: { workflow: flow.id } }),
    })),
    ...(asks ? bases : []).map(({ id: base, name }) => ({
      id: `base-${base}`,
      title: name,
      group: m.places.knowledge,
      run: () => void navigate({ to: "/w/$w/knowledge/$id", params: { w, id: base } }),
    })),
    ...(asks ? servers : []).map(({ id: server, name }) => ({
      id: `server-${server}`,
      title: name,
      group: m.places.tools,
      run: () => void navigate({ to: "/w/$w/tools/servers/$id", params: { w, id: server } }),
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
          group: m.places.settings,
          run: to(tab),
        }))
      : []),
    ...(asks ? people : []).map(person => ({
      id: `person-${person.userId}`,
      title: person.name ?? person.email ?? "",
      detail: person.email ?? undefined,
      group: settings.members.title,
      run: to("members"),
    })),
  ];
  return (
    <PaletteDialog
      items={items}
      typed={early}
      onType={setTyped}
      placeholder={m.shell.search}
      nothing={m.shell.noCommand}
      onClose={onClose}
    />
  );
}
