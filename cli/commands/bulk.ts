import { setTimeout as sleep } from "node:timers/promises";
import type { BulkJob, Weft } from "../../sdk/index.ts";
import { argument, type Command, FAILED, type Invocation, UsageError } from "../command.ts";
import { inSpace, workflowId } from "../connection.ts";
import { jsonText, printMessage, printResult, withoutControls } from "../terminal.ts";
import { labelsOption, STATUSES } from "./list-runs.ts";

const ACTIONS = ["cancel", "retry", "delete"] as const;
const POLL_MS = 1_000;

/** Waits for the end of a job and prints its progress. */
async function untilEnd(weft: Weft, started: BulkJob): Promise<BulkJob> {
  let job = started;
  for (let shown = -1; job.status === "running";) {
    await sleep(POLL_MS);
    job = await weft.executions.bulk.get({ id: job.id });
    const settled = job.done + job.failed;
    if (settled > shown && job.status === "running") printMessage(`${settled} of ${job.total}`);
    shown = settled;
  }
  return job;
}

async function bulk(given: Invocation): Promise<number> {
  const action = ACTIONS.find(one => one === argument(given));
  if (!action) throw new UsageError(`weft executions bulk takes one of ${ACTIONS.join(", ")}`);
  const status = STATUSES.find(one => one === given.text("status"));
  if (given.text("status") !== undefined && !status) throw new UsageError(`--status is one of ${STATUSES.join(", ")}`);
  const ids = given.texts("id");
  const of = given.text("workflow");
  const [error, key, label] = [given.text("error"), given.text("key"), labelsOption(given.text("labels"))];
  const { weft } = await inSpace(given);
  const workflow = of === undefined ? {} : { workflowId: await workflowId(weft, of) };
  const filter = {
    ...workflow,
    ...(status && { status }),
    ...(error && { error }),
    ...(key && { key }),
    ...(label && { label }),
  };
  const isAll = ids.length === 0 && Object.keys(filter).length === 0;
  if (isAll && !given.flag("all"))
    throw new UsageError("Name runs by --id or by filters, or take all of them by --all");
  const options = {
    ...(given.flag("from-start") && { fromStart: true }),
    ...(given.flag("latest") && { version: "latest" as const }),
    ...(given.flag("compensate") && { compensate: true }),
  };
  const wanted = ids.length > 0 ? { ids: [...ids] } : { filter };
  const job = await untilEnd(weft, await weft.executions.bulk.start({ action, ...wanted, options }));
  if (given.flag("json")) printResult(jsonText(job));
  else {
    printResult(`${job.done} of ${job.total} done, ${job.failed} failed.`);
    for (const { executionId, code, message } of job.errors)
      printResult(withoutControls(`${executionId}  ${code}: ${message}`));
    if (job.more) printMessage("There are more runs than a job can handle. Run the command again.");
  }
  return job.failed > 0 || job.status === "cancelled" ? FAILED : 0;
}

export const BULK: Command[] = [
  {
    name: "executions bulk",
    args: "<cancel, retry or delete>",
    summary: "Cancel, retry or delete many runs, and wait for the end; the exit code is 1 if one fails",
    options: {
      id: { type: "string", value: "id", multiple: true, help: "the id of a run; may be given several times" },
      status: { type: "string", value: "status", help: "runs with this status" },
      workflow: { type: "string", value: "workflow", help: "runs of this workflow, by id or name" },
      error: { type: "string", value: "code", help: "runs that failed with this error code" },
      key: { type: "string", value: "key", help: "runs with this key" },
      labels: { type: "string", value: "name=value,…", help: "runs with these labels" },
      all: { type: "boolean", help: "all runs of the space to which the action applies" },
      "from-start": { type: "boolean", help: "retry whole runs" },
      latest: { type: "boolean", help: "retry with the newest versions of the workflows" },
      compensate: { type: "boolean", help: "cancel, and undo completed steps that have a compensation" },
    },
    run: bulk,
  },
];
