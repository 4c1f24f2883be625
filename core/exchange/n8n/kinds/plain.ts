import { stepOutput } from "../flow.ts";
import type { NodeKind } from "../kind.ts";
import { isExpression } from "../parameter.ts";
import { listAt, objectAt, textAt } from "../translation.ts";
import { call, concat, field, literal, typed } from "../typed.ts";
import { shown, Untranslatable } from "../untranslatable.ts";

export const noOp: NodeKind = {
  translate: (_, t) => ({ type: "transform", data: { value: t.input() } }),
  gives: ({ name }, flows) => {
    const flow = flows.into(name);
    return stepOutput(flows.idOf(name), "list" in flow && flow.list);
  },
  takesLists: true,
};

export const stopAndError: NodeKind = {
  translate({ parameters }, t) {
    const { errorType, errorMessage, errorObject } = parameters;
    if (errorType !== "errorObject") return { type: "fail", data: { message: t.template(errorMessage ?? "") } };
    const message = isExpression(errorObject)
      ? `{{ ${call("string", [t.expression(errorObject)], "text").text} }}`
      : t.template(textAt(errorObject, ""));
    return { type: "fail", data: { message } };
  },
  handle: () => undefined,
};

/** Sends the response to the caller of the webhook. The input passes on unchanged. */
export const respond: NodeKind = {
  translate({ parameters, typeVersion }, t) {
    const options = objectAt(parameters, "options");
    const entries = listAt(options, "responseHeaders", "entries");
    const text = (value: unknown) =>
      isExpression(value) ? `{{ ${concat([literal(""), t.expression(value)]).text} }}` : t.template(value ?? "");
    const headers = Object.fromEntries(entries.map(({ name, value }) => [textAt(name, ""), text(value)]));
    const status = options.responseCode;
    const body = () => {
      const how = textAt(parameters.respondWith, typeVersion >= 1.1 ? "firstIncomingItem" : "json");
      if (how === "noData") return null;
      if (how === "text") return t.template(parameters.responseBody ?? "");
      if (how === "allIncomingItems") return `{{ [${t.own().jsonata}] }}`;
      if (how === "firstIncomingItem")
        return t.own().list ? `{{ ${field(typed(t.own().jsonata), 0).text} }}` : t.input();
      if (how === "json") return jsonAnswer(parameters.responseBody, value => t.template(value));
      throw new Untranslatable(`an answer of the kind "${shown(how)}"`);
    };
    return {
      type: "respond",
      data: {
        body: body(),
        ...(status !== undefined && { status: t.template(status) }),
        ...(entries.length > 0 && { headers }),
      },
    };
  },
  gives: ({ name }, flows) => flows.into(name),
  takesLists: true,
};

/** JSON that is written as text: parsed if possible, else sent as text. */
function jsonAnswer(value: unknown, template: (value: unknown) => unknown): unknown {
  if (typeof value !== "string" || isExpression(value)) return template(value ?? null);
  try {
    return template(JSON.parse(value));
  } catch {
    throw new Untranslatable("an answer that is not JSON");
  }
}

/** Calls another workflow. The workflow that n8n names does not exist in Weft. */
export const executeWorkflow: NodeKind = {
  translate({ parameters, name }, t) {
    const source = textAt(parameters.source, "database");
    if (source !== "database") throw new Untranslatable(`a workflow from "${shown(source)}"`);
    const { workflowId } = parameters;
    const named = objectAt(workflowId);
    t.warn(
      `Choose the workflow that "${name}" runs: n8n called it "${shown(textAt(named.cachedResultName, textAt(named.value ?? workflowId, "")))}".`,
    );
    const inputs = objectAt(parameters, "workflowInputs", "value");
    const input = Object.keys(inputs).length > 0 ? t.template(inputs) : t.input();
    return { type: "subworkflow", data: { workflowId: textAt(named.value ?? workflowId, ""), input } };
  },
};

/** The value of a list field replaces the item. */
export const splitOut: NodeKind = {
  translate({ parameters, type }, t) {
    const isOlder = type === "n8n-nodes-base.itemLists";
    if (isOlder && textAt(parameters.operation, "splitOutItems") !== "splitOutItems")
      throw new Untranslatable("another operation than splitting a list");
    if (textAt(parameters.include, "noOtherFields") !== "noOtherFields")
      throw new Untranslatable("items that keep other fields");
    const path = textAt(t.fixed(parameters.fieldToSplitOut, "fieldToSplitOut"), "");
    if (path === "" || path.includes(",")) throw new Untranslatable("several fields that are split at once");
    const list = path.split(".").reduce((at, name) => field(at, name), typed(t.own().jsonata, "any", true));
    return { type: "transform", data: { value: `{{ [${list.text}] }}` } };
  },
  gives: ({ name }, flows) => stepOutput(flows.idOf(name), true),
};
