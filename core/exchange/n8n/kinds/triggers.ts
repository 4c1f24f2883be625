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

/** A message of a chat. In Weft, it is the input of the run. */
export const chat: NodeKind = {
  translate(_, t) {
    t.warn(`Start the workflow with the input \`{"chatInput": "…", "sessionId": "…"}\`. ${ANOTHER_START}`);
    return { type: "trigger", data: {} };
  },
  gives: () => RUN_INPUT,
};

/** The failed run, in the form that n8n gives it. In Weft it is the input of the error workflow. */
const FAILURE: Source = {
  jsonata:
    '{"execution": {"id": input.id, "mode": input.trigger.type, "lastNodeExecuted": input.error.nodeId, "error": {"message": input.error.message, "name": input.error.code}}, "workflow": {"id": input.workflowId}}',
  js: "({ execution: { id: input.id, mode: input.trigger?.type, lastNodeExecuted: input.error?.nodeId, error: { message: input.error?.message, name: input.error?.code } }, workflow: { id: input.workflowId } })",
  guard: null,
  list: false,
};

export const failure: NodeKind = {
  translate(_, t) {
    t.warn(
      "Set this workflow as `errorWorkflowId` in the settings of those that it watches. The name of the failed workflow and the address of the run are not in its input.",
    );
    return { type: "trigger", data: {} };
  },
  gives: () => FAILURE,
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
