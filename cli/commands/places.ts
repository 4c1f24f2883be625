import { argument, type Command, CommandError, type Invocation } from "../command.ts";
import { changeAccount } from "../config-file.ts";
import { findSpace, findWorkspace, inSpace, inWorkspace, signedIn } from "../connection.ts";
import { jsonText, printResult, table, timeText, withoutControls } from "../terminal.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";

const mark = (is: boolean) => (is ? "*" : "");

function notByEnvironment(): void {
  if (process.env.WEFT_API_KEY) throw new CommandError("WEFT_API_KEY is set. Use --workspace and --space instead.");
}

async function listWorkspaces(given: Invocation): Promise<void> {
  const { weft, account } = await signedIn(given);
  const all = await takeUpToLimit(given, weft.workspaces.list());
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = all.map(({ id, name, slug, role }) => [
    mark(id === account.workspaceId),
    id,
    withoutControls(name),
    slug,
    role,
  ]);
  printResult(table(["", "ID", "NAME", "SLUG", "ROLE"], rows));
}

async function useWorkspace(given: Invocation, id: string, name: string): Promise<void> {
  const { url } = await signedIn(given);
  await changeAccount(url, account => {
    account.workspaceId = id;
    delete account.spaceId;
  });
  printResult(
    given.flag("json")
      ? jsonText({ workspaceId: id })
      : withoutControls(`Using the workspace ${name}, in its default space.`),
  );
}

async function showUsage(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const usage = await weft.workspaces.usage();
  if (given.flag("json")) return printResult(jsonText(usage));
  const count = (value: number | null, without: string) => value?.toLocaleString("en") ?? without;
  const rows = usage.quotas.map(({ name, used, allowed, renewsAt }) => [
    name,
    count(used, "-"),
    count(allowed, "no limit"),
    renewsAt === null ? "" : timeText(renewsAt),
  ]);
  printResult(table(["WHAT", "USED", "ALLOWED", "RENEWS"], rows));
}

async function listSpaces(given: Invocation): Promise<void> {
  const { weft, spaceId } = await inSpace(given);
  const all = await takeUpToLimit(given, weft.pods.spaces.list());
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = all.map(({ id, name, podId = "" }) => [mark(id === spaceId), id, withoutControls(name), podId]);
  printResult(table(["", "ID", "NAME", "POD"], rows));
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
      printResult(
        given.flag("json") ? jsonText({ workspaceId, spaceId: id }) : withoutControls(`Using the space ${name}.`),
      );
    },
  },
];
