import type { Command, Invocation } from "../command.ts";
import { inWorkspace, workflowId } from "../connection.ts";
import { clean, jsonText, say, table, when } from "../terminal.ts";
import { LIST_OPTIONS, taken } from "./lists.ts";

async function list(given: Invocation): Promise<void> {
  const { weft } = await inWorkspace(given);
  const of = given.text("workflow");
  const workflow = of === undefined ? {} : { workflowId: await workflowId(weft, of) };
  if (given.flag("answered")) {
    const answers = await taken(given, weft.executions.answers(workflow));
    if (given.flag("json")) return say(jsonText(answers));
    const rows = answers.map(one => [
      one.executionId,
      when(one.answeredAt),
      one.approved ? "approved" : "rejected",
      clean(one.answeredByName ?? one.answeredBy),
      clean(one.prompt),
    ]);
    return say(table(["RUN", "ANSWERED", "ANSWER", "BY", "QUESTION"], rows));
  }
  const mine = given.flag("mine") ? { mine: true } : {};
  const open = await taken(given, weft.executions.questions({ ...workflow, ...mine }));
  if (given.flag("json")) return say(jsonText(open));
  const rows = open.map(one => [
    one.executionId,
    when(one.askedAt),
    one.expiresAt === null ? "" : when(one.expiresAt),
    clean(one.nodeId),
    clean(one.prompt),
  ]);
  say(table(["RUN", "ASKED", "EXPIRES", "STEP", "QUESTION"], rows));
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
