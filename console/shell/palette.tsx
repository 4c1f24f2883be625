import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Workspace } from "../../sdk/definition.ts";
import { workflowsQuery } from "../data/workflows.ts";
import { m } from "../messages/index.ts";
import { type PaletteItem, PaletteDialog } from "../ui/palette.tsx";
import { useAllCommands } from "./shortcuts.ts";

/** Everything that can be done or reached from here by its name. */
export default function Palette({ workspace, onClose }: { workspace: Workspace | undefined; onClose: () => void }) {
  const commands = useAllCommands();
  const navigate = useNavigate();
  const { data: workflows = [] } = useQuery({
    ...workflowsQuery(workspace?.id ?? ""),
    enabled: workspace !== undefined,
  });
  const acts: PaletteItem[] = commands
    .filter(({ id }) => id !== "palette")
    .map(({ id, title, keys, words, run }) => ({ id, title, keys, words, run, group: m.shell.commands }));
  const found: PaletteItem[] = workflows.map(({ id, name }) => ({
    id: `workflow-${id}`,
    title: name,
    group: m.places.workflows,
    run: () => void navigate({ to: "/w/$w/runs", params: { w: workspace!.slug }, search: { workflow: id } }),
  }));
  return (
    <PaletteDialog
      items={[...acts, ...found]}
      placeholder={m.shell.search}
      nothing={m.shell.noCommand}
      onClose={onClose}
    />
  );
}
