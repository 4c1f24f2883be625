import type { SavedView, Weft } from "../../sdk/index.ts";
import {
  argument,
  type Command,
  CommandError,
  type Invocation,
  type Options,
  switchOption,
  UsageError,
} from "../command.ts";
import { findOne, inWorkspace, isId } from "../connection.ts";
import { jsonText, printResult, table, withoutControls } from "../terminal.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";

const PAGE = "runs";

const viewId = async (weft: Weft, wanted: string): Promise<string> =>
  isId(wanted)
    ? wanted
    : (await findOne(weft.workspaces.views.list({ limit: 200 }), wanted, "view", ({ name }) => [name])).id;

/** The query of a page's address. The option also accepts a whole address, as people copy it. */
function queryOption(given: Invocation): string | undefined {
  const text = given.text("query");
  if (text === undefined || text === "") return text;
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return new URL(text).search;
  return text.startsWith("?") ? text : `?${text}`;
}

function sayViews(given: Invocation, views: readonly SavedView[], all: unknown): void {
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = views.map(({ id, name, page, query, shared, mine }) => {
    return [
      id,
      withoutControls(name),
      page,
      shared ? (mine ? "shared by you" : "shared") : "yours",
      withoutControls(query),
    ];
  });
  printResult(table(["ID", "NAME", "PAGE", "WHOSE", "QUERY"], rows));
}

async function list(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const page = given.text("page");
  const all = await takeUpToLimit(given, weft.workspaces.views.list(page === undefined ? {} : { page }));
  sayViews(given, all, all);
}

async function create(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const view = await weft.workspaces.views.create({
    name: argument(given),
    page: given.text("page") ?? PAGE,
    query: queryOption(given) ?? "",
    shared: given.flag("share"),
  });
  sayViews(given, [view], view);
}

async function set(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const [name, query] = [given.text("name"), queryOption(given)];
  const shared = switchOption(given, "share", "no-share");
  const changes = {
    ...(name !== undefined && { name }),
    ...(query !== undefined && { query }),
    ...(shared !== undefined && { shared }),
  };
  if (Object.keys(changes).length === 0) throw new UsageError("There is nothing to set. See weft views set --help");
  const view = await weft.workspaces.views.update({ id: await viewId(weft, argument(given)), ...changes });
  sayViews(given, [view], view);
}

async function remove(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const wanted = argument(given);
  if (!isId(wanted)) throw new CommandError("To delete a view, name it by its id.");
  await weft.workspaces.views.remove({ id: wanted });
}

const QUERY: Options = {
  query: {
    type: "string",
    short: "q",
    value: "filters",
    help: "the filters: the address of a page, or ?status=failed",
  },
};
const pageOption = (help: string): Options => ({ page: { type: "string", value: "page", help } });

export const VIEWS: Command[] = [
  {
    name: "views list",
    summary: "List your saved views and those of the workspace",
    options: { ...pageOption("views of one page alone, such as runs"), ...LIST_OPTIONS },
    run: list,
  },
  {
    name: "views create",
    args: "<name>",
    summary: "Save filters of a page as a view",
    options: {
      ...QUERY,
      ...pageOption(`the page; default: ${PAGE}`),
      share: { type: "boolean", help: "show it to all members" },
    },
    run: create,
  },
  {
    name: "views set",
    args: "<view>",
    summary: "Rename a view, change its filters, or share it",
    options: {
      name: { type: "string", value: "name", help: "the name of the view" },
      ...QUERY,
      share: { type: "boolean", help: "show it to all members" },
      "no-share": { type: "boolean", help: "show it to you only" },
    },
    run: set,
  },
  { name: "views delete", args: "<id>", summary: "Delete a view", run: remove },
];
