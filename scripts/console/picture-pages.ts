import type { Page } from "playwright-core";
import type { Person } from "../../test/browser/support/person.ts";

export interface Seen {
  /** A run that asks a person a question. */
  run: string;
  /** A workflow with several kinds of steps and two versions, and two of its runs. */
  workflow: string;
  runs: [string, string];
  /** A knowledge base, an API, and a tool server. */
  base: string;
  api: string;
  server: string;
  /** The token of an open invite. */
  invite: string;
}

export interface Picture {
  name: string;
  /** The path of the page. */
  path: (person: Person, seen: Seen) => string;
  /** True if the page is visited without a sign-in. */
  outside?: boolean;
  /** True if the page shows a workflow or a base, which may be empty itself. */
  ofOne?: boolean;
  /** True if the page is for operators. */
  operator?: boolean;
  /**
   * Further requests that fail, or never get a response, in the pictures of these states. Requests for a workspace
   * always do. A page without a sign-in has these states only if this is set.
   */
  asks?: RegExp;
  act?: (page: Page) => Promise<unknown>;
}

const inWorkspace = (rest: string) => (person: Person) => `/w/${person.slug}${rest}`;

export const runPage =
  (query: string) =>
  ({ slug, workspaceId }: Person, { run }: Seen) =>
    `/w/${slug}/s/${workspaceId}/runs/${run}${query}`;

export const builderPage =
  (rest: string) =>
  ({ slug, workspaceId }: Person, { workflow }: Seen) =>
    `/w/${slug}/s/${workspaceId}/f/${workflow}${rest}`;

const comparePage = ({ slug }: Person, { runs: [a, b] }: Seen) => `/w/${slug}/runs/${a}/vs/${b}`;

/** Sends a message to an agent, if there is one to talk to. */
async function talk(page: Page): Promise<void> {
  const field = page.getByRole("textbox", { name: "Message" });
  if ((await field.count()) === 0 || !(await field.isEnabled())) return;
  await field.fill("How long do refunds take?");
  await page.keyboard.press("Enter");
  await page
    .getByText("Completed", { exact: true })
    .first()
    .waitFor({ timeout: 5_000 })
    .catch(() => undefined);
}

export const PAGES: Picture[] = [
  { name: "sign-in", path: () => "/sign-in", outside: true },
  {
    name: "sign-up",
    path: () => "/sign-up",
    outside: true,
    act: page => page.getByLabel("Password", { exact: true }).fill("correct hor"),
  },
  { name: "forgot-password", path: () => "/forgot-password", outside: true },
  { name: "reset-gone", path: () => "/reset-password#token=not-one-of-ours", outside: true },
  { name: "confirm-gone", path: () => "/confirm-address#token=not-one-of-ours", outside: true },
  {
    name: "invite",
    path: (_person, { invite }) => `/invite#invite=${invite}`,
    outside: true,
    asks: /\/v1\/invites\/read/,
  },
  { name: "invite-gone", path: () => "/invite#invite=not-one-of-ours", outside: true },
  { name: "link-gone", path: () => "/a/link#not-one-of-ours", outside: true },
  { name: "command", path: () => `/command?challenge=${"a".repeat(43)}` },
  { name: "home", path: inWorkspace("") },
  { name: "workflows", path: inWorkspace("/workflows") },
  { name: "runs", path: inWorkspace("/runs") },
  { name: "approvals", path: inWorkspace("/approvals") },
  { name: "answered", path: inWorkspace("/approvals?show=answered") },
  { name: "run-graph", path: runPage("") },
  { name: "run-step", path: runPage("?n=start") },
  { name: "run-timeline", path: runPage("?view=timeline") },
  {
    name: "run-zoomed",
    path: ({ slug, workspaceId }, { runs: [id] }) => `/w/${slug}/s/${workspaceId}/runs/${id}?view=timeline&z=2-40`,
  },
  { name: "run-log", path: runPage("?view=log") },
  { name: "builder", path: builderPage(""), ofOne: true },
  { name: "builder-step", path: builderPage("?n=each") },
  { name: "versions", path: builderPage("/versions?v=2&from=1"), ofOne: true },
  { name: "compare", path: comparePage },
  { name: "question", path: ({ workspaceId }, { run }) => `/a/${workspaceId}/${run}` },
  { name: "notifications", path: () => "/me/notifications", asks: /\/v1\/notifications/ },
  { name: "me", path: () => "/me" },
  { name: "schedules", path: inWorkspace("/schedules") },
  { name: "webhooks", path: inWorkspace("/webhooks") },
  ...["knowledge", "tools", "files"].map(name => ({ name, path: inWorkspace(`/${name}`) })),
  { name: "templates", path: inWorkspace("/templates"), asks: /\/v1\/templates/ },
  { name: "template", path: inWorkspace("/templates/01993d00-0000-7000-8000-000000000001"), asks: /\/v1\/templates/ },
  { name: "templates-outside", path: inWorkspace("/templates"), outside: true, asks: /\/v1\/templates/ },
  {
    name: "template-outside",
    path: inWorkspace("/templates/01993d00-0000-7000-8000-000000000001"),
    outside: true,
    asks: /\/v1\/templates/,
  },
  { name: "memory", path: inWorkspace("/memory?who=customer-7") },
  { name: "knowledge-base", path: ({ slug }, { base }) => `/w/${slug}/knowledge/${base}`, ofOne: true },
  { name: "knowledge-files", path: ({ slug }, { base }) => `/w/${slug}/knowledge/${base}?tab=files`, ofOne: true },
  {
    name: "knowledge-search",
    path: ({ slug }, { base }) => `/w/${slug}/knowledge/${base}?tab=search&q=refunds`,
    ofOne: true,
  },
  { name: "tool-server", path: ({ slug }, { server }) => `/w/${slug}/tools/servers/${server}` },
  { name: "tool-api", path: ({ slug }, { api }) => `/w/${slug}/tools/apis/${api}` },
  { name: "playground", path: inWorkspace("/playground"), act: talk },
  { name: "credentials", path: inWorkspace("/settings/credentials") },
  { name: "settings", path: inWorkspace("/settings/general") },
  { name: "members", path: inWorkspace("/settings/members") },
  { name: "spaces", path: inWorkspace("/settings/spaces") },
  { name: "variables", path: inWorkspace("/settings/variables") },
  { name: "audit", path: inWorkspace("/settings/audit") },
  { name: "keys", path: inWorkspace("/settings/keys") },
  { name: "usage", path: inWorkspace("/settings/usage") },
  ...["status", "users", "workspaces"].map(tab => ({
    ...{ name: `operator-${tab}`, path: () => `/operator/${tab}`, operator: true, asks: /\/v1\/operator\// },
  })),
];

const press = (name: string) => (page: Page) => page.getByRole("button", { name }).first().click();
const choose = (name: string) => (page: Page) => page.getByRole("menuitem", { name }).click();

/** Parts of pages that an action opens. They have one size only. */
export const ACTS: Picture[] = [
  { name: "palette", path: inWorkspace("/runs"), act: page => page.keyboard.press("Control+k") },
  { name: "help", path: inWorkspace("/runs"), act: page => page.keyboard.press("Control+/") },
  {
    name: "workspace-menu",
    path: inWorkspace("/runs"),
    act: page => page.getByRole("button", { name: "Switch workspace" }).first().click(),
  },
  {
    name: "account-menu",
    path: inWorkspace("/runs"),
    act: page => page.getByRole("button", { name: "Your account" }).first().click(),
  },
  { name: "template-use", path: inWorkspace("/templates"), act: press("Use this template") },
  { name: "trash", path: inWorkspace("/workflows?show=trash") },
  { name: "workflow-menu", path: inWorkspace("/workflows"), act: press("More for Ship an order") },
  {
    name: "duplicate",
    path: inWorkspace("/workflows"),
    act: page => press("More for Ship an order")(page).then(() => choose("Duplicate")(page)),
  },
  {
    name: "remove-pod",
    path: inWorkspace("/settings/spaces"),
    act: page => press("More for the pod Spring campaign")(page).then(() => choose("Delete")(page)),
  },
  { name: "memory-history", path: inWorkspace("/memory?who=customer-7"), act: press("The user lives in Oslo") },
  {
    name: "try-tool",
    path: ({ slug }, { server }) => `/w/${slug}/tools/servers/${server}`,
    act: press("Add two numbers"),
  },
  { name: "tool-changes", path: ({ slug }, { server }) => `/w/${slug}/tools/servers/${server}?tab=changes` },
  { name: "cancel", path: runPage(""), act: press("Cancel run") },
  { name: "new-credential", path: inWorkspace("/settings/credentials"), act: press("New credential") },
  { name: "invite-dialog", path: inWorkspace("/settings/members"), act: press("Invite") },
  { name: "remember", path: inWorkspace("/memory"), act: press("Remember a text") },
  {
    name: "run-dialog",
    path: inWorkspace("/workflows"),
    act: page => page.getByRole("button", { name: "Run Approve an expense" }).click(),
  },
  {
    name: "marked",
    path: inWorkspace("/runs"),
    async act(page) {
      await page.getByRole("checkbox").nth(1).check();
      await page.getByRole("checkbox").nth(4).check();
      await page.keyboard.press("Escape");
    },
  },
  { name: "new-key", path: inWorkspace("/settings/keys"), act: press("New key") },
  { name: "new-schedule", path: inWorkspace("/schedules"), act: press("New schedule") },
  { name: "new-webhook", path: inWorkspace("/webhooks"), act: press("New webhook") },
  {
    name: "open-webhook",
    path: inWorkspace("/webhooks"),
    act: page =>
      page
        .getByRole("button", { name: /^Open / })
        .first()
        .click(),
  },
  { name: "filtered", path: inWorkspace("/runs?status=failed,suspended&q=card") },
  { name: "no-match", path: inWorkspace("/runs?q=nothing-like-this") },
  { name: "missing", path: () => "/w/no-such-workspace" },
  {
    name: "wrong-password",
    path: () => "/sign-in",
    outside: true,
    async act(page) {
      await page.getByLabel("E-mail").fill("ada@example.com");
      await page.getByLabel("Password", { exact: true }).fill("not the password");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
    },
  },
];
