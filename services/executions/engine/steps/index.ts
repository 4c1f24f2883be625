import { isDeepStrictEqual } from "node:util";
import type { NodeTypeName } from "../../../../core/graph/node-types.ts";
import { http } from "./http.ts";
import { code } from "./code.ts";
import { isTrue } from "./is-true.ts";
import { llm } from "./llm.ts";
import { loop } from "./loop.ts";
import { memory } from "./memory.ts";
import { notify } from "./notify.ts";
import { retriever } from "./retriever.ts";
import { done, failed, type Perform } from "./step.ts";
import { subworkflow } from "./subworkflow.ts";
import { tool } from "./tool.ts";
import { api } from "./api.ts";

const trigger: Perform<"trigger"> = (_data, context) => done(context.input());

const transform: Perform<"transform"> = data => done(data.value);

const condition: Perform<"condition"> = data => {
  const result = isTrue(data.if);
  return done({ result }, String(result));
};

const switchStep: Perform<"switch"> = ({ value, cases }) => {
  const found = cases.find(candidate => isDeepStrictEqual(candidate.equals, value));
  return done({ value, case: found?.id ?? "default" }, found ? `case:${found.id}` : "default");
};

const merge: Perform<"merge"> = (_data, context) => done({ ...context.incoming() });

const delay: Perform<"delay"> = ({ ms, until }, context) => {
  const at = until === undefined ? Date.now() + (ms ?? 0) : Date.parse(until);
  return { kind: "wait", until: new Date(at).toISOString(), output: context.input() ?? null };
};

const human: Perform<"human"> = ({ prompt, form, assignees, allowLinks, expiresInMs }, { at }) => {
  const expiresAt = expiresInMs === undefined ? null : new Date(Date.now() + expiresInMs).toISOString();
  const asked = { nodeId: at.nodeId, prompt, ...(form && { form }), ...(assignees && { assignees }), expiresAt };
  return { kind: "ask", suspension: { ...asked, ...(allowLinks && { allowLinks }) } };
};

const wait: Perform<"wait"> = ({ event, key, schema, expiresInMs }) => ({
  kind: "await",
  awaits: { event, ...(key !== undefined && { key: String(key) }), ...(schema && { schema }) },
  ...(expiresInMs !== undefined && { until: new Date(Date.now() + expiresInMs).toISOString() }),
});

/** The log keeps the status and the headers for a waiting caller next to the body. */
const respond: Perform<"respond"> = ({ status, headers, body }) => ({
  kind: "done",
  output: body ?? null,
  input: { status, headers },
});

const fail: Perform<"fail"> = ({ message, code: named = "failed" }) => failed(named, message, false);

const map: Perform<"map"> = ({ items, concurrency }) =>
  Array.isArray(items)
    ? { kind: "iterate", items, concurrency }
    : failed("invalid_data", "/data/items: the expression does not give a list.", false);

// Loaded when the first such step runs, because most processes never run one.
const agent: Perform<"agent"> = async (...given) => (await import("./agent.ts")).agent(...given);
const email: Perform<"email"> = async (...given) => (await import("./email.ts")).email(...given);
const s3: Perform<"s3"> = async (...given) => (await import("./s3.ts")).s3(...given);
const spreadsheet: Perform<"spreadsheet"> = async (...given) =>
  (await import("./spreadsheet.ts")).spreadsheet(...given);
const sql: Perform<"sql"> = async (...given) => (await import("./sql.ts")).sql(...given);

/** The function that performs each type of node. */
export const STEPS: { [N in NodeTypeName]: Perform<N> } = {
  trigger,
  transform,
  http,
  email,
  s3,
  sql,
  spreadsheet,
  condition,
  switch: switchStep,
  merge,
  delay,
  map,
  loop,
  subworkflow,
  code,
  retriever,
  memory,
  tool,
  api,
  llm,
  agent,
  notify,
  human,
  wait,
  respond,
  fail,
};
