import { createRoute } from "@tanstack/react-router";
import { m } from "./messages/index.ts";
import { baseSearch } from "./pages/knowledge-base/search.ts";
import { serverSearch } from "./pages/tool-server/search.ts";
import { memorySearch } from "./pages/memory/search.ts";
import { playgroundSearch } from "./pages/playground/search.ts";
import { templatesSearch } from "./pages/templates/search.ts";
import { type Search, textIn } from "./search.ts";
import { workspace } from "./workspace-route.ts";
import { lazyPage } from "./shell/lazy-page.tsx";

/** The pages of what workflows use: templates, knowledge, tools, memory, agents and files. */

export const templates = createRoute({
  getParentRoute: () => workspace,
  path: "/templates",
  staticData: { title: m.places.templates, place: "workflows" },
  validateSearch: templatesSearch,
  component: lazyPage(() => import("./pages/templates/page.tsx"), "TemplatesPage"),
});

export const template = createRoute({
  getParentRoute: () => workspace,
  path: "/templates/$id",
  validateSearch: (search: Search): { s?: string | undefined } => ({ s: textIn(search, "s") }),
  staticData: { place: "workflows" },
  component: lazyPage(() => import("./pages/template/page.tsx"), "TemplatePage"),
});

export const knowledge = createRoute({
  getParentRoute: () => workspace,
  path: "/knowledge",
  staticData: { title: m.places.knowledge },
  validateSearch: (search: Search): { q?: string | undefined } => ({ q: textIn(search, "q") }),
  component: lazyPage(() => import("./pages/knowledge/page.tsx"), "KnowledgePage"),
});

export const knowledgeBase = createRoute({
  getParentRoute: () => workspace,
  path: "/knowledge/$id",
  staticData: { place: "knowledge" },
  validateSearch: baseSearch,
  component: lazyPage(() => import("./pages/knowledge-base/page.tsx"), "KnowledgeBasePage"),
});

export const tools = createRoute({
  getParentRoute: () => workspace,
  path: "/tools",
  staticData: { title: m.places.tools },
  validateSearch: (search: Search): { q?: string | undefined } => ({ q: textIn(search, "q") }),
  component: lazyPage(() => import("./pages/tools/page.tsx"), "ToolsPage"),
});

export const toolServer = createRoute({
  getParentRoute: () => workspace,
  path: "/tools/servers/$id",
  staticData: { place: "tools" },
  validateSearch: serverSearch,
  component: lazyPage(() => import("./pages/tool-server/page.tsx"), "ToolServerPage"),
});

export const toolApi = createRoute({
  getParentRoute: () => workspace,
  path: "/tools/apis/$id",
  staticData: { place: "tools" },
  validateSearch: serverSearch,
  component: lazyPage(() => import("./pages/tool-server/page.tsx"), "ApiPage"),
});

export const memory = createRoute({
  getParentRoute: () => workspace,
  path: "/memory",
  staticData: { title: m.places.memory },
  validateSearch: memorySearch,
  component: lazyPage(() => import("./pages/memory/page.tsx"), "MemoryPage"),
});

export const playground = createRoute({
  getParentRoute: () => workspace,
  path: "/playground",
  staticData: { title: m.places.playground },
  validateSearch: playgroundSearch,
  component: lazyPage(() => import("./pages/playground/page.tsx"), "PlaygroundPage"),
});

export const files = createRoute({
  getParentRoute: () => workspace,
  path: "/files",
  staticData: { title: m.places.files },
  validateSearch: (search: Search): { open?: string | undefined } => ({ open: textIn(search, "open") }),
  component: lazyPage(() => import("./pages/files/page.tsx"), "FilesPage"),
});

export const resourceRoutes = [
  templates,
  template,
  knowledge,
  knowledgeBase,
  tools,
  toolServer,
  toolApi,
  memory,
  playground,
  files,
] as const;
