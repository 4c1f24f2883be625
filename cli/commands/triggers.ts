import type { Command, Invocation } from "../command.ts";
import { inSpace } from "../connection.ts";
import { clean, jsonText, say, table, when } from "../terminal.ts";
import { tellElsewhere } from "./elsewhere.ts";
import { LIST_OPTIONS, taken } from "./lists.ts";

async function listSchedules(given: Invocation): Promise<void> {
  const { weft, spaceId } = await inSpace(given);
  const all = await taken(given, weft.schedules.list());
  if (given.flag("json")) return say(jsonText(all));
  const rows = all.map(one => {
    const next = one.nextRunAt === null ? (one.restingReason ?? "disabled") : when(one.nextRunAt);
    return [
      one.id,
      clean(one.cronExpr),
      clean(one.timezone),
      next,
      one.lastRunAt === null ? "" : when(one.lastRunAt),
      one.workflowId,
    ];
  });
  say(table(["ID", "CRON", "TIME ZONE", "NEXT", "LAST", "WORKFLOW"], rows));
  if (all.length === 0) await tellElsewhere(weft, spaceId, "schedules", weft.schedules.list);
}

export const TRIGGERS: Command[] = [
  { name: "schedules list", summary: "List the schedules of the space", options: LIST_OPTIONS, run: listSchedules },
];
