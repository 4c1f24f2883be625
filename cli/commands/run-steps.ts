import { argument, type Command, type Invocation, UsageError } from "../command.ts";
import { inSpace } from "../connection.ts";
import { duration, jsonText, printMessage, printResult, statusText, table, withoutControls } from "../terminal.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";

const STATUSES = ["pending", "running", "waiting", "completed", "failed", "skipped", "cancelled"] as const;

/** Map items in the form that users write, such as `each:0,inner:2`. The last one may lack its index. */
function placeOption(text: string): { nodeId: string; index?: number }[] {
  const parts = text.split(",");
  return parts.map((part, i) => {
    const [, nodeId, index] = /^(.+?)(?::(\d{1,9}))?$/.exec(part) ?? [];
    if (nodeId === undefined || (index === undefined && i < parts.length - 1))
      throw new UsageError("--under takes node or node:index, with commas between several");
    return { nodeId, ...(index !== undefined && { index: Number(index) }) };
  });
}

/** The map items of a question or a step, such as `each:0,inner:2`. */
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

async function steps(given: Invocation): Promise<void> {
  const [under, status] = ["under", "status"].map(given.text);
  const asked = { ...(under && { under: placeOption(under) }), ...(status && { status: statusOption(status) }) };
  const { weft } = await inSpace(given);
  const all = await takeUpToLimit(given, weft.executions.steps({ id: argument(given), ...asked }));
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = all.map(row => [
    withoutControls(
      row.type === "item" || row.type === "round" ? `${row.nodeId}:${row.path?.at(-1)?.index}` : row.nodeId,
    ),
    row.type ?? "",
    statusText(row.status),
    row.durationMs === null ? "" : duration(row.durationMs),
    row.items ? `${row.items.completed} of ${row.items.total} items, ${row.items.failed} failed` : "",
    withoutControls(row.error?.message ?? row.preview ?? ""),
  ]);
  printResult(table(["STEP", "TYPE", "STATUS", "TOOK", "ITEMS", ""], rows));
}

async function output(given: Invocation): Promise<void> {
  const pathText = given.text("path");
  const at = { nodeId: argument(given, 1), ...(pathText && { path: pathOption(pathText) }) };
  const { weft } = await inSpace(given);
  const made = await weft.executions.output({ id: argument(given), ...at });
  printResult(jsonText(given.flag("json") ? made : made.output));
}

const placeText = (nodeId: string | null, path: readonly { nodeId: string; index: number }[] = []) =>
  withoutControls(
    [...path.map(part => `${part.nodeId}:${part.index}`), ...(path.at(-1)?.nodeId === nodeId ? [] : [nodeId])].join(
      ",",
    ),
  );

async function search(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const found = await weft.executions.search({ id: argument(given), q: argument(given, 1) });
  if (given.flag("json")) return printResult(jsonText(found));
  const rows = found.matches.map(({ nodeId, path, in: part, pointer, excerpt }) => [
    nodeId === null ? "input of the run" : placeText(nodeId, path),
    nodeId === null ? "" : part,
    withoutControls(pointer),
    withoutControls(excerpt),
  ]);
  printResult(table(["STEP", "IN", "POINTER", ""], rows));
  if (!found.complete) printMessage("The search ended early: there is more than this.");
}

const durationText = (side: { durationMs: number | null } | null) =>
  side && side.durationMs !== null ? duration(side.durationMs) : "";

async function compare(given: Invocation): Promise<void> {
  const { weft } = await inSpace(given);
  const compared = await weft.executions.compare({ id: argument(given), other: argument(given, 1) });
  if (given.flag("json")) return printResult(jsonText(compared));
  const { counts } = compared;
  const differing = compared.steps.filter(({ change }) => change !== "equal");
  const rows = differing.map(({ nodeId, path, change, a, b }) => [
    placeText(nodeId, path),
    change,
    a ? statusText(a.status) : "",
    b ? statusText(b.status) : "",
    durationText(a),
    durationText(b),
  ]);
  if (rows.length > 0) printResult(table(["STEP", "", "FIRST", "SECOND", "FIRST TOOK", "SECOND TOOK"], rows));
  const { equal, changed, added, removed } = counts;
  printMessage(`${equal} equal, ${changed} changed, ${added} only in the second, ${removed} only in the first`);
}

export const RUN_STEPS: Command[] = [
  {
    name: "executions steps",
    args: "<id>",
    summary: "List the steps of a run, or the items of a map",
    options: {
      under: { type: "string", value: "place", help: "a map for its items, or map:index for the steps of an item" },
      status: { type: "string", value: "status", help: "only steps with these statuses, comma-separated" },
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
  {
    name: "executions search",
    args: "<id> <text>",
    summary: "Find a text in the input, outputs and errors of a run",
    options: {},
    run: search,
  },
  {
    name: "executions compare",
    args: "<id> <id>",
    summary: "List the steps in which two runs differ",
    options: {},
    notes: ["With --json, prints how inputs and outputs differ too."],
    run: compare,
  },
];
