import { cronOf } from "../cron.ts";
import { RUN_INPUT, type Source } from "../flow.ts";
import type { NodeKind } from "../kind.ts";
import { textAt } from "../translation.ts";

const ANOTHER_START = "Every step that no edge leads to starts with the run, whichever trigger starts it.";

/** A manual start, or a start by another workflow: the output is the run's input. */
export const start: NodeKind = {
  translate: () => ({ type: "trigger", data: {} }),
  gives: () => RUN_INPUT,
};

export const schedule: NodeKind = {
  translate(node, t) {
    const crons = cronOf(node);
    const told = crons?.map(cron => `\`${cron}\``).join(" and ") ?? "the times that it had";
    t.warn(`Create a schedule for this workflow at ${told}. ${ANOTHER_START}`);
    return { type: "trigger", data: {} };
  },
  gives: () => RUN_INPUT,
};

/** In Weft the body of the call is the input. Its headers and its query are separate values. */
const CALL: Source = {
  jsonata: '{"body": input, "headers": trigger.headers, "query": trigger.query}',
  js: "({ body: input })",
  guard: null,
  list: false,
  fields: {
    body: RUN_INPUT,
    headers: { jsonata: "trigger.headers", js: "undefined" },
    query: { jsonata: "trigger.query", js: "undefined" },
  },
  hiddenFromCode: ["headers", "query", "params"],
};

export const webhook: NodeKind = {
  translate({ parameters }, t) {
    const method = textAt(parameters.httpMethod, "GET");
    const asked = method === "POST" ? "" : ` In n8n it took ${method}. Add that to the webhook's \`methods\`.`;
    t.warn(`Create a webhook for this workflow: its address and its secret are new.${asked} ${ANOTHER_START}`);
    const isOpen = textAt(parameters.authentication, "none") === "none";
    if (!isOpen) t.warn("Its authentication is left out. Set it as `auth` of the webhook.");
    return { type: "trigger", data: {} };
  },
  gives: () => CALL,
};
