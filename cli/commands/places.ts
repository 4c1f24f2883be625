import { argument, type Command, CommandError, type Invocation } from "../command.ts";
import { changeAccount } from "../config-file.ts";
import { findSpace, findWorkspace, inSpace, inWorkspace, signedIn } from "../connection.ts";
import { clean, jsonText, say, table, when } from "../terminal.ts";
import { LIST_OPTIONS, taken } from "./lists.ts";

const mark = (is: boolean) => (is ? "*" : "");

function notByEnvironment(): void {
  if (process.env.WEFT_API_KEY) throw new CommandError("WEFT_API_KEY is set. Use --workspace and --space instead.");
}

async function listWorkspaces(given: Invocation): Promise<void> {
  const { weft, account } = await signedIn(given);
  const all = await taken(given, weft.workspaces.list());
  if (given.flag("json")) return say(jsonText(all));
  const rows = all.map(({ id, name, slug, role }) => [mark(id === account.workspaceId), id, clean(name), slug, role]);
  say(table(["", "ID", "NAME", "SLUG", "ROLE"], rows));
}

async function useWorkspace(given: Invocation, id: string, name: string): Promise<void> {
  const { url } = await signedIn(given);
  await changeAccount(url, account => {
    account.workspaceId = id;
    delete account.spaceId;
  });
  say(given.flag("json") ? jsonText({ workspaceId: id }) : clean(`Using the workspace ${name}, in its default space.`));
}

async function showUsage(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const usage = await weft.workspaces.usage();
  if (given.flag("json")) return say(jsonText(usage));
  const count = (value: number | null, without: string) => value?.toLocaleString("en") ?? without;
  const rows = usage.quotas.map(({ name, used, allowed, renewsAt }) => [
    name,
    count(used, "-"),
    count(allowed, "no limit"),
    renewsAt === null ? "" : when(renewsAt),
  ]);
  say(table(["WHAT", "USED", "ALLOWED", "RENEWS"], rows));
}

async function listSpaces(given: Invocation): Promise<void> {
  const { weft, spaceId } = await inSpace(given);
  const all = await taken(given, weft.pods.spaces.list());
  if (given.flag("json")) return say(jsonText(all));
  const rows = all.map(({ id, name, podId = "" }) => [mark(id === spaceId), id, clean(name), podId]);
  say(table(["", "ID", "NAME", "POD"], rows));
}

export const PLACES: Command[] = [
  {
    name: "workspaces list",
    summary: "List your workspaces; * is the one in use",
    options: LIST_OPTIONS,
    run: listWorkspaces,
  },
  {
    name: "workspaces use",
    args: "<workspace>",
    summary: "Make this workspace the default",
    run: async given => {
      notByEnvironment();
      const { id, name } = await findWorkspace((await signedIn(given)).weft, argument(given));
      await useWorkspace(given, id, name);
    },
  },
  {
    name: "workspaces create",
    args: "<name>",
    summary: "Create a workspace and make it the default",
    run: async given => {
      notByEnvironment();
      const { id, name } = await (await signedIn(given)).weft.workspaces.create({ name: argument(given) });
      await useWorkspace(given, id, name);
    },
  },
  {
    name: "workspaces usage",
    summary: "Show what the workspace has used today and this month, and its quotas",
    run: showUsage,
  },
  {
    name: "spaces list",
    summary: "List the spaces of the workspace; * is the one in use",
    options: LIST_OPTIONS,
    run: listSpaces,
  },
  {
    name: "spaces use",
    args: "<space>",
    summary: "Make this space the default",
    run: async given => {
      notByEnvironment();
      const { url, weft, workspaceId } = await inWorkspace(given);
      const { id, name } = await findSpace(weft, argument(given));
      await changeAccount(url, account => Object.assign(account, { workspaceId, spaceId: id }));
      say(given.flag("json") ? jsonText({ workspaceId, spaceId: id }) : clean(`Using the space ${name}.`));
    },
  },
];
