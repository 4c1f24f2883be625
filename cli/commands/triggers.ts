import type { Command, Invocation } from "../command.ts";
import { inSpace } from "../connection.ts";
import { jsonText, printResult, table, timeText, withoutControls } from "../terminal.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";
import { printOtherSpaces } from "./other-spaces.ts";

async function listSchedules(given: Invocation): Promise<void> {
  const { weft, spaceId } = await inSpace(given);
  const all = await takeUpToLimit(given, weft.schedules.list());
  if (given.flag("json")) return printResult(jsonText(all));
  const rows = all.map(one => {
    const next = one.nextRunAt === null ? (one.restingReason ?? "disabled") : timeText(one.nextRunAt);
    return [
      one.id,
      withoutControls(one.cronExpr),
      withoutControls(one.timezone),
      next,
      one.lastRunAt === null ? "" : timeText(one.lastRunAt),
      one.workflowId,
    ];
  });
  printResult(table(["ID", "CRON", "TIME ZONE", "NEXT", "LAST", "WORKFLOW"], rows));
  if (all.length === 0) await printOtherSpaces(weft, spaceId, "schedules", weft.schedules.list);
}

export const TRIGGERS: Command[] = [
  { name: "schedules list", summary: "List the schedules of the space", options: LIST_OPTIONS, run: listSchedules },
];
