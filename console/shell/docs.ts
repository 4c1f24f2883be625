import { useRouterState } from "@tanstack/react-router";

/** The page of the documentation for each place, by the beginning of its route. The first match counts. */
const PAGES: readonly (readonly [route: string, page: string])[] = [
  ["/w/$w/s/$s/f/", "steps"],
  ["/w/$w/s/$s/runs/", "runs"],
  ["/w/$w/runs", "runs"],
  ["/w/$w/approvals", "runs"],
  ["/w/$w/workflows", "workflows"],
  ["/w/$w/templates", "workflows"],
  ["/w/$w/webhooks", "webhooks"],
  ["/w/$w/schedules", "workflows"],
  ["/w/$w/knowledge", "knowledge"],
  ["/w/$w/tools", "mcp"],
  ["/w/$w/memory", "memory"],
  ["/w/$w/playground", "models"],
  ["/w/$w/files", "files"],
  ["/w/$w/settings/credentials", "connections"],
  ["/w/$w/settings/variables", "connections"],
  ["/w/$w/settings/keys", "api"],
  ["/w/$w/settings", "workspaces"],
  ["/me", "accounts"],
  ["/operator", "operations"],
];

/** The address of the documentation for the current page. */
export const useDocsPage = (): string =>
  useRouterState({
    select({ matches }) {
      const { fullPath = "", params = {} } = matches.at(-1) ?? {};
      const { tab = "" } = params as { tab?: string };
      const route = fullPath.replace("$tab", tab);
      const page = PAGES.find(([begin]) => route.startsWith(begin))?.[1] ?? "console";
      return `/docs/${page}`;
    },
  });
