import type { NodeKind } from "../kind.ts";
import { LOOP_TYPE, type Loops } from "../loops.ts";
import { condition, filter, switchNode } from "./branching.ts";
import { code } from "./code.ts";
import { agent, chain } from "./agent.ts";
import { dateTime } from "./date-time.ts";
import { googleSheets } from "./google-sheets.ts";
import { httpRequest } from "./http-request.ts";
import { loopKind } from "./loop.ts";
import { merge } from "./merge.ts";
import { executeWorkflow, noOp, respond, splitOut, stopAndError } from "./plain.ts";
import { sendEmail } from "./send-email.ts";
import { setFields } from "./set-fields.ts";
import { convertToFile, extractFromFile, spreadsheetFile } from "./spreadsheet.ts";
import { chat, failure, schedule, start, webhook } from "./triggers.ts";
import { slack } from "./slack.ts";
import { mySql, postgres } from "./sql-query.ts";
import { wait } from "./wait.ts";

/** Kinds by the name of the type in n8n, without its package. */
const KINDS: Record<string, NodeKind> = {
  start,
  manualTrigger: start,
  executeWorkflowTrigger: start,
  scheduleTrigger: schedule,
  cron: schedule,
  interval: schedule,
  errorTrigger: failure,
  webhook,
  set: setFields,
  httpRequest,
  emailSend: sendEmail,
  extractFromFile,
  convertToFile,
  spreadsheetFile,
  if: condition,
  filter,
  switch: switchNode,
  merge,
  wait,
  code,
  function: code,
  functionItem: code,
  executeWorkflow,
  splitOut,
  itemLists: splitOut,
  noOp,
  stopAndError,
  respondToWebhook: respond,
  dateTime,
  postgres,
  mySql,
  slack,
  googleSheets,
};
/** The same for n8n's package of agents. */
const AGENT_KINDS: Record<string, NodeKind> = { agent, chainLlm: chain, chatTrigger: chat, manualChatTrigger: chat };

const PACKAGE = "n8n-nodes-base.";
const AGENTS = "@n8n/n8n-nodes-langchain.";
const ALL: [start: string, kinds: Record<string, NodeKind>][] = [
  [PACKAGE, KINDS],
  [AGENTS, AGENT_KINDS],
];
export const STICKY_NOTE = `${PACKAGE}stickyNote`;

const TRIGGERS = new Set<NodeKind>([start, schedule, webhook, chat, failure]);

/** The kind of an n8n node type; undefined when Weft has no counterpart. */
export function kindOf(type: string, loops: Loops): NodeKind | undefined {
  if (type === LOOP_TYPE) return loopKind(loops);
  const [start, kinds] = ALL.find(([begin]) => type.startsWith(begin)) ?? ["", {}];
  const name = type.slice(start.length);
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

/** Whether a run of n8n can begin at this type. Unknown types are recognised by their names. */
export function isTrigger(type: string, loops: Loops): boolean {
  const kind = kindOf(type, loops);
  return kind ? TRIGGERS.has(kind) : /Trigger$/.test(type);
}
