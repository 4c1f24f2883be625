import { argument, type Command, type Given, UsageError } from "../command.ts";
import { inSpace } from "../connection.ts";
import { clean, duration, jsonText, say, statusText, table } from "../terminal.ts";
import { LIST_OPTIONS, taken } from "./lists.ts";

const STATUSES = ["pending", "running", "waiting", "completed", "failed", "skipped", "cancelled"] as const;

/** Map items as users write them, such as `each:0,inner:2`. The last one may lack its index. */
function placeOption(text: string): { nodeId: string; index?: number }[] {
  const parts = text.split(",");
  return parts.map((part, i) => {
    const [, nodeId, index] = /^(.+?)(?::(\d{1,9}))?$/.exec(part) ?? [];
    if (nodeId === undefined || (index === undefined && i < parts.length - 1))
      throw new UsageError("--under takes node or node:index, with commas between several");
    return { nodeId, ...(index !== undefined && { index: Number(index) }) };
  });
}

/** The map items that a question or a step belongs to, such as `each:0,inner:2`. */
export function pathOption(text: string): { nodeId: string; index: number }[] {
  return text.split(",").map(part => {
    const [, nodeId, index] = /^(.+):(\d{1,9})$/.exec(part) ?? [];
    if (nodeId === undefined) throw new UsageError("--path takes node:index, with commas between several");
    return { nodeId, index: Number(index) };
  });
}

function statusOption(text: string) {
  return text.split(",").map(word => {
    const status = STATUSES.find(one => one === word);
    if (!status) throw new UsageError(`--status takes ${STATUSES.join(", ")}, with commas between several`);
    return status;
  });
}

async function steps(given: Given): Promise<void> {
  const [under, status] = ["under", "status"].map(given.text);
  const asked = { ...(under && { under: placeOption(under) }), ...(status && { status: statusOption(status) }) };
  const { weft } = await inSpace(given);
  const all = await taken(given, weft.executions.steps({ id: argument(given), ...asked }));
  if (given.flag("json")) return say(jsonText(all));
  const rows = all.map(row => [
    clean(row.type === "item" ? `${row.nodeId}:${row.path?.at(-1)?.index}` : row.nodeId),
    row.type ?? "",
    statusText(row.status),
    row.durationMs === null ? "" : duration(row.durationMs),
    row.items ? `${row.items.completed} of ${row.items.total} items, ${row.items.failed} failed` : "",
    clean(row.error?.message ?? row.preview ?? ""),
  ]);
  say(table(["STEP", "TYPE", "STATUS", "TOOK", "ITEMS", ""], rows));
}

async function output(given: Given): Promise<void> {
  const pathText = given.text("path");
  const at = { nodeId: argument(given, 1), ...(pathText && { path: pathOption(pathText) }) };
  const { weft } = await inSpace(given);
  const made = await weft.executions.output({ id: argument(given), ...at });
  say(jsonText(given.flag("json") ? made : made.output));
}

export const RUN_STEPS: Command[] = [
  {
    name: "executions steps",
    args: "<id>",
    summary: "List the steps of a run, or the items of a map",
    options: {
      under: { type: "string", value: "place", help: "a map for its items, or map:index for the steps of an item" },
      status: { type: "string", value: "status", help: "only these, with commas between several" },
      ...LIST_OPTIONS,
    },
    run: steps,
  },
  {
    name: "executions output",
    args: "<id> <step>",
    summary: "Print the output of one step",
    options: { path: { type: "string", value: "node:index", help: "the map item that the step belongs to" } },
    notes: ["With --json, prints its status, input and error too."],
    run: output,
  },
];
