import type { Command, Invocation } from "../command.ts";
import { inWorkspace, workflowId } from "../connection.ts";
import { jsonText, printResult, table, timeText, withoutControls } from "../terminal.ts";
import { LIST_OPTIONS, takeUpToLimit } from "./lists.ts";

async function list(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const of = given.text("workflow");
  const workflow = of === undefined ? {} : { workflowId: await workflowId(weft, of) };
  if (given.flag("answered")) {
    const answers = await takeUpToLimit(given, weft.executions.answers(workflow));
    if (given.flag("json")) return printResult(jsonText(answers));
    const rows = answers.map(one => [
      one.executionId,
      timeText(one.answeredAt),
      one.approved ? "approved" : "rejected",
      withoutControls(one.answeredByName ?? one.answeredBy),
      withoutControls(one.prompt),
    ]);
    return printResult(table(["RUN", "ANSWERED", "ANSWER", "BY", "QUESTION"], rows));
  }
  const mine = given.flag("mine") ? { mine: true } : {};
  const open = await takeUpToLimit(given, weft.executions.questions({ ...workflow, ...mine }));
  if (given.flag("json")) return printResult(jsonText(open));
  const rows = open.map(one => [
    one.executionId,
    timeText(one.askedAt),
    one.expiresAt === null ? "" : timeText(one.expiresAt),
    withoutControls(one.nodeId),
    withoutControls(one.prompt),
  ]);
  printResult(table(["RUN", "ASKED", "EXPIRES", "STEP", "QUESTION"], rows));
}

export const QUESTIONS_LIST: Command = {
  name: "questions list",
  group: "executions",
  summary: "List the open questions of the workspace, or the answered ones",
  options: {
    answered: { type: "boolean", help: "list the answers that people gave instead, newest first" },
    mine: { type: "boolean", help: "only open questions that name you" },
    workflow: { type: "string", value: "workflow", help: "only questions of this workflow; a name needs --space" },
    ...LIST_OPTIONS,
  },
  run: list,
};
