import { cronOf } from "../cron.ts";
import { RUN_INPUT } from "../flow.ts";
import type { NodeKind } from "../kind.ts";
import { textAt } from "../translation.ts";

const ANOTHER_START = "Every step without an edge that leads to it starts with the run, whatever starts that.";

/** Started by hand, or by another workflow: the run's input. */
export const start: NodeKind = {
  translate: () => ({ type: "trigger", data: {} }),
  gives: () => RUN_INPUT,
};

export const schedule: NodeKind = {
  translate(node, t) {
    const crons = cronOf(node);
    const told = crons?.map(cron => `\`${cron}\``).join(" and ") ?? "the times that it had";
    t.warn(`Create a schedule for this workflow at ${told}. ${ANOTHER_START}`);
    return { type: "trigger", data: { kind: "schedule", ...(crons && { cronExpr: crons }) } };
  },
  gives: () => RUN_INPUT,
};

/** Here the body of the call is the input; its headers, its query and its path are not passed on. */
export const webhook: NodeKind = {
  translate({ parameters }, t) {
    const method = textAt(parameters.httpMethod, "GET");
    const asked = method === "POST" ? "" : ` It took ${method}; ours take POST.`;
    t.warn(`Create a webhook for this workflow: its address and its secret are new.${asked} ${ANOTHER_START}`);
    if (textAt(parameters.authentication, "none") !== "none")
      t.warn("Its own authentication is left out: ours asks for its secret.");
    return { type: "trigger", data: { kind: "webhook" } };
  },
  gives: () => ({ ...RUN_INPUT, jsonata: '{"body": input}', js: "({ body: input })", fields: { body: RUN_INPUT } }),
};
