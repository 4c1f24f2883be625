import { type Command, type Invocation, UsageError } from "../command.ts";
import { inSpace, workflowId } from "../connection.ts";
import { jsonText, printResult, statusText, table, timeText, withoutControls } from "../terminal.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";
import { printOtherSpaces } from "./other-spaces.ts";

export const STATUSES = ["pending", "running", "completed", "failed", "cancelled", "suspended"] as const;
/** The sort orders as words, because a value that begins with `-` would look like an option. */
const SORTS = {
  newest: "-createdAt",
  oldest: "createdAt",
  "last-ended": "-finishedAt",
  "first-ended": "finishedAt",
  longest: "-durationMs",
  shortest: "durationMs",
} as const;
const ORDERS = Object.keys(SORTS) as (keyof typeof SORTS)[];

/** Labels as `name=value`, separated by commas. */
export function labelsOption(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return undefined;
  return Object.fromEntries(
    text.split(",").map(pair => {
      const at = pair.indexOf("=");
      if (at < 1) throw new UsageError("--labels takes name=value, with commas between them");
      return [pair.slice(0, at).trim(), pair.slice(at + 1)];
    }),
  );
}

async function list(given: Invocation): Promise<void> {
  const status = STATUSES.find(one => one === given.text("status"));
  if (given.text("status") !== undefined && !status) throw new UsageError(`--status is one of ${STATUSES.join(", ")}`);
  const order = ORDERS.find(one => one === given.text("sort"));
  if (given.text("sort") !== undefined && !order) throw new UsageError(`--sort is one of ${ORDERS.join(", ")}`);
  const { weft, spaceId } = await inSpace(given);
  const of = given.text("workflow");
  const workflow = of === undefined ? {} : { workflowId: await workflowId(weft, of) };
  const [key, label] = [given.text("key"), labelsOption(given.text("labels"))];
  const filter = { ...workflow, ...(status && { status }), ...(key && { key }), ...(label && { label }) };
  const all = await takeUpToLimit(given, weft.executions.list({ ...filter, ...(order && { sort: SORTS[order] }) }));
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = all.map(one => [
    one.id,
    statusText(one.status),
    one.trigger.type,
    timeText(one.createdAt),
    one.workflowId,
    withoutControls(one.key ?? ""),
    withoutControls(one.error?.message ?? one.suspension?.prompt ?? ""),
  ]);
  printResult(table(["ID", "STATUS", "STARTED BY", "CREATED", "WORKFLOW", "KEY", ""], rows));
  const isPlain = Object.keys(filter).length === 0;
  if (all.length === 0 && isPlain) await printOtherSpaces(weft, spaceId, "runs", weft.executions.list);
}

export const LIST_RUNS: Command = {
  name: "executions list",
  summary: "List runs, newest first, by their end or by duration",
  options: {
    workflow: { type: "string", value: "workflow", help: "only runs of this workflow" },
    status: { type: "string", value: "status", help: `one of ${STATUSES.join(", ")}` },
    key: { type: "string", value: "key", help: "only runs with this key" },
    labels: { type: "string", value: "name=value,…", help: "only runs with these labels" },
    sort: { type: "string", value: "order", help: `one of ${ORDERS.join(", ")}` },
    ...LIST_OPTIONS,
  },
  run: list,
};
