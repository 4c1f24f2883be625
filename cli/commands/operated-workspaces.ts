import type { OperatedWorkspace, Quotas } from "../../sdk/definition.ts";
import type { Weft } from "../../sdk/index.ts";
import { accountOf, withAccounts } from "../accounts.ts";
import { argument, type Command, CommandError, type Invocation, type Options, UsageError } from "../command.ts";
import { isId, signedIn } from "../connection.ts";
import { DATA_DIR_OPTION } from "../installation.ts";
import { jsonText, printResult, table, timeText, withoutControls } from "../terminal.ts";
import { LOCAL_OR_API_NOTES, localOrApi } from "./local-or-api.ts";
import { API_OPTION, userByAddress } from "./users-api.ts";

const PAGE = 500;
const UNLIMITED = 999_999_999_999;
const EITHER: Options = { ...DATA_DIR_OPTION, ...API_OPTION };

const missing = (wanted: string) => new CommandError(`There is no workspace ${JSON.stringify(wanted)}.`);

function sayAll(given: Invocation, all: readonly OperatedWorkspace[]): void {
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = all.map(({ id, name, slug, owners, members, createdAt }) => [
    id,
    withoutControls(name),
    slug,
    withoutControls(owners.map(owner => owner.email ?? owner.id).join(", ")),
    `${members}`,
    timeText(createdAt),
  ]);
  printResult(table(["ID", "NAME", "SLUG", "OWNER", "MEMBERS", "CREATED"], rows));
}

const printChange = (given: Invocation, { id, slug }: { id: string; slug: string }, text: string) =>
  printResult(given.flag("json") ? jsonText({ id, slug }) : withoutControls(text));

/** Runs `run` with the workspaces of the store on this machine and the rules of the service. */
const onMachine = <T>(given: Invocation, run: (here: Awaited<ReturnType<typeof open>>) => Promise<T>) =>
  withAccounts(given, async accounts => run(await open(accounts)));

async function open(accounts: Parameters<Parameters<typeof withAccounts>[1]>[0]) {
  const [model, operated, { markWorkspaceDeleted }, { ALIVE }, { beginsWith }] = await Promise.all([
    import("../../services/workspaces/model.ts"),
    import("../../services/workspaces/operated.ts"),
    import("../../services/workspaces/remove-workspace.ts"),
    import("../../service-kit/tombstone.ts"),
    import("../../service-kit/begins-with.ts"),
  ]);
  const { store, identity } = accounts;
  await store.register([model.workspaces, model.members, model.invites]);
  const all = store.global(model.workspaces);
  const users = store.global(identity.users);
  const lookUp = async (ids: string[]) => (await users.find({ id: { $in: ids } }, { limit: PAGE })).items;
  const find = async (wanted: string) => {
    const found = await all.get({ ...ALIVE, ...(isId(wanted) ? { id: wanted } : { slug: wanted }) });
    if (!found) throw missing(wanted);
    return found;
  };
  return { ...accounts, accounts, all, find, lookUp, markWorkspaceDeleted, ALIVE, beginsWith, ...operated };
}

const listHere = (given: Invocation) =>
  onMachine(given, async ({ store, all, lookUp, presentOperated, ALIVE, beginsWith }) => {
    const search = given.text("search")?.trim().toLowerCase();
    const filter = { ...ALIVE, ...(search && { slug: beginsWith(search) }) };
    const shown: OperatedWorkspace[] = [];
    for (let after: string | null = null, more = true; more;) {
      const { items, next } = await all.find(filter, { limit: PAGE, after });
      shown.push(...(await presentOperated(store, lookUp, items)));
      after = next;
      more = next !== null;
    }
    sayAll(given, shown);
  });

const removeHere = (given: Invocation) =>
  onMachine(given, async ({ store, find, markWorkspaceDeleted }) => {
    const workspace = await find(argument(given));
    await markWorkspaceDeleted(store, workspace.id, new Date());
    printChange(given, workspace, `${workspace.name} is deleted. A running Weft removes its contents.`);
  });

const transferHere = (given: Invocation) =>
  onMachine(given, async ({ accounts, store, find, makeOwner }) => {
    const workspace = await find(argument(given));
    const user = await accountOf(accounts, argument(given, 1));
    await makeOwner(store, workspace.id, user.id);
    printChange(given, workspace, `${user.email} owns ${workspace.name}.`);
  });

/** A workspace by its id or slug, through the API. */
export async function workspaceByApi(weft: Weft, wanted: string): Promise<OperatedWorkspace> {
  if (isId(wanted)) return weft.workspaces.operator.get({ workspaceId: wanted });
  const { items } = await weft.workspaces.operator.list({ search: wanted, limit: 1 });
  if (items[0]?.slug !== wanted) throw missing(wanted);
  return items[0];
}

async function listThere(given: Invocation): Promise<void> {
  const { weft } = await signedIn(given);
  const search = given.text("search");
  const all = [];
  for await (const one of weft.workspaces.operator.list({ ...(search && { search }), limit: 200 })) all.push(one);
  sayAll(given, all);
}

async function removeThere(given: Invocation): Promise<void> {
  const { weft } = await signedIn(given);
  const workspace = await workspaceByApi(weft, argument(given));
  await weft.workspaces.operator.remove({ workspaceId: workspace.id });
  printChange(given, workspace, `${workspace.name} is deleted.`);
}

async function transferThere(given: Invocation): Promise<void> {
  const { weft } = await signedIn(given);
  const workspace = await workspaceByApi(weft, argument(given));
  const user = await userByAddress(weft, argument(given, 1));
  await weft.workspaces.operator.setOwner({ workspaceId: workspace.id, userId: user.id });
  printChange(given, workspace, `${user.email} owns ${workspace.name}.`);
}

/** Parses `members=20,files=none`. `none` resets a quota to the value of the installation. */
function quotaChanges(given: Invocation): Record<string, number | null> {
  const parts = given.text("set")?.split(",") ?? [];
  return Object.fromEntries(
    parts.map(part => {
      const [, name = "", value = ""] = /^\s*(\w+)=(\d{1,12}|none)\s*$/.exec(part) ?? [];
      if (!name) throw new UsageError("--set takes quotas such as members=20,files=none");
      return [name, value === "none" ? null : Number(value)] as const;
    }),
  );
}

function sayQuotas(given: Invocation, quotas: Quotas): void {
  if (given.flag("json")) return printResult(jsonText(quotas));
  const shown = (allowed: number) => (allowed >= UNLIMITED ? "none" : allowed.toLocaleString("en"));
  printResult(
    table(
      ["QUOTA", "ALLOWED"],
      Object.entries(quotas).map(([name, allowed]) => [name, shown(allowed)]),
    ),
  );
}

const quotasHere = (given: Invocation) =>
  onMachine(given, async ({ store, find }) => {
    const { parseQuotas, setQuotas, quotasFrom } = await import("../../services/workspaces/quotas.ts");
    const workspace = await find(argument(given));
    const changes = quotaChanges(given);
    const { data, faults } = parseQuotas(changes);
    if (faults) {
      const lines = faults.map(({ path, message }) => `  ${path && `${path.slice(1)}: `}${message}`);
      throw new UsageError(["--set is not valid", ...lines].join("\n"));
    }
    const changed = Object.keys(changes).length > 0 ? await setQuotas(store, workspace.id, data) : workspace;
    sayQuotas(given, quotasFrom(changed.quotas));
  });

async function quotasThere(given: Invocation): Promise<void> {
  const { weft } = await signedIn(given);
  const { id: workspaceId } = await workspaceByApi(weft, argument(given));
  const quotas = quotaChanges(given);
  const { operator } = weft.workspaces;
  const changed = Object.keys(quotas).length > 0;
  sayQuotas(
    given,
    changed ? await operator.setQuotas({ workspaceId, quotas }) : await operator.getQuotas({ workspaceId }),
  );
}

export const OPERATED_WORKSPACES: Command[] = [
  {
    name: "workspaces all",
    summary: "List all workspaces of the installation, for operators",
    options: {
      search: { type: "string", value: "text", help: "only workspaces whose slug begins with this" },
      ...EITHER,
    },
    notes: LOCAL_OR_API_NOTES,
    run: localOrApi(listHere, listThere),
  },
  {
    name: "workspaces delete",
    args: "<workspace>",
    summary: "Delete a workspace and all its contents, for operators",
    options: EITHER,
    notes: ["Name the workspace by its id or slug.", ...LOCAL_OR_API_NOTES],
    run: localOrApi(removeHere, removeThere),
  },
  {
    name: "workspaces transfer",
    args: "<workspace> <e-mail>",
    summary: "Make a user the only owner of a workspace, for operators",
    options: EITHER,
    notes: ["Name the workspace by its id or slug. Former owners become admins.", ...LOCAL_OR_API_NOTES],
    run: localOrApi(transferHere, transferThere),
  },
  {
    name: "workspaces quotas",
    args: "<workspace>",
    summary: "Show or set the quotas of a workspace, for operators",
    options: {
      set: { type: "string", value: "quotas", help: "quotas, such as executions_per_day=1000,members=none" },
      ...EITHER,
    },
    notes: ["The value none resets a quota to the value of the installation.", ...LOCAL_OR_API_NOTES],
    run: localOrApi(quotasHere, quotasThere),
  },
];
