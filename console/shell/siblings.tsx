import { useQuery } from "@tanstack/react-query";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { knowledgeBasesQuery } from "../data/knowledge.ts";
import { builderPath, runPath } from "../data/paths.ts";
import { newestRunsQuery } from "../data/runs.ts";
import { workflowsQuery } from "../data/workflows.ts";
import { workspacesQuery } from "../data/workspaces.ts";
import { settings } from "../messages/en-settings.ts";
import { m } from "../messages/index.ts";
import { fullTime } from "../messages/time.ts";
import { SECTIONS } from "../pages/settings/sections.ts";
import { MenuChoice, MenuItem } from "../ui/menu.tsx";
import { Status } from "../ui/status.tsx";
import type { SiblingsOf } from "./crumbs.ts";
import { NAVIGATION } from "./navigation.ts";

/** The most entries in the menu. Users find the others in the list or by the search. */
const MAX_SHOWN = 20;

interface Workspace {
  id: string;
  slug: string;
}

interface Sibling {
  title: string;
  path: string;
  aside?: ReactNode;
}

function useWorkflows({ id, slug }: Workspace): Sibling[] | undefined {
  const { data } = useQuery(workflowsQuery(id));
  return data?.map(one => ({ title: one.name, path: builderPath(slug, one) }));
}

function useBases({ id, slug }: Workspace): Sibling[] | undefined {
  const { data } = useQuery(knowledgeBasesQuery(id));
  return data?.map(one => ({ title: one.name, path: `/w/${slug}/knowledge/${one.id}` }));
}

function useRuns({ id, slug }: Workspace, workflow: string): Sibling[] | undefined {
  const { data } = useQuery(newestRunsQuery(id, { workflow }, MAX_SHOWN));
  return data?.map(run => ({
    title: fullTime(run.createdAt),
    path: runPath(slug, run),
    aside: <Status status={run.status} iconOnly />,
  }));
}

const placesOf = ({ slug }: Workspace): Sibling[] =>
  NAVIGATION.map(({ title, to, params = {} }) => ({
    title,
    path: Object.entries(params).reduce(
      (path, [name, value]) => path.replace(`$${name}`, value),
      to.replace("$w", slug),
    ),
  }));

const sectionsOf = ({ slug }: Workspace): Sibling[] =>
  SECTIONS.map(tab => ({ title: settings.settings.tab[tab], path: `/w/${slug}/settings/${tab}` }));

function Choices({ siblings }: { siblings: Sibling[] | undefined }) {
  const navigate = useNavigate();
  const here = useRouterState({ select: ({ location }) => location.pathname.replace(/\/$/, "") });
  if (!siblings) return <MenuItem disabled>{m.loading}</MenuItem>;
  return siblings.slice(0, MAX_SHOWN).map(({ title, path, aside }) => (
    <MenuChoice key={path} checked={path === here} aside={aside} onSelect={() => void navigate({ to: path })}>
      {title}
    </MenuChoice>
  ));
}

const Workspaces = () => {
  const { data } = useQuery(workspacesQuery);
  return <Choices siblings={data?.map(({ name, slug }) => ({ title: name, path: `/w/${slug}` }))} />;
};
const Workflows = ({ of }: { of: Workspace }) => <Choices siblings={useWorkflows(of)} />;
const Bases = ({ of }: { of: Workspace }) => <Choices siblings={useBases(of)} />;
const Runs = ({ of, workflow }: { of: Workspace; workflow: string }) => <Choices siblings={useRuns(of, workflow)} />;

/** The entries in the menu of a crumb: the pages beside it. */
export default function Siblings({ of, kind }: { of: Workspace; kind: SiblingsOf }) {
  if (kind === "workspaces") return <Workspaces />;
  if (kind === "places") return <Choices siblings={placesOf(of)} />;
  if (kind === "settings") return <Choices siblings={sectionsOf(of)} />;
  if (kind === "workflows") return <Workflows of={of} />;
  if (kind === "bases") return <Bases of={of} />;
  return <Runs of={of} workflow={kind.runsOf} />;
}
