import type { NodeKind } from "../kind.ts";
import { LOOP_TYPE, type Loops } from "../loops.ts";
import { condition, filter, switchNode } from "./branching.ts";
import { code } from "./code.ts";
import { httpRequest } from "./http-request.ts";
import { loopKind } from "./loop.ts";
import { merge } from "./merge.ts";
import { executeWorkflow, noOp, respond, splitOut, stopAndError } from "./plain.ts";
import { sendEmail } from "./send-email.ts";
import { setFields } from "./set-fields.ts";
import { convertToFile, extractFromFile, spreadsheetFile } from "./spreadsheet.ts";
import { schedule, start, webhook } from "./triggers.ts";
import { wait } from "./wait.ts";

/** Kinds by the name of the type in n8n, without its package. */
const KINDS: Record<string, NodeKind> = {
  start,
  manualTrigger: start,
  executeWorkflowTrigger: start,
  scheduleTrigger: schedule,
  cron: schedule,
  interval: schedule,
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
};

const PACKAGE = "n8n-nodes-base.";
export const STICKY_NOTE = `${PACKAGE}stickyNote`;

const TRIGGERS = new Set<NodeKind>([start, schedule, webhook]);

/** The kind of an n8n node type; undefined when Weft has no counterpart. */
export function kindOf(type: string, loops: Loops): NodeKind | undefined {
  if (type === LOOP_TYPE) return loopKind(loops);
  const name = type.startsWith(PACKAGE) ? type.slice(PACKAGE.length) : "";
  return Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
}

/** Whether a run of n8n can begin at this type. Unknown types are recognised by their names. */
export function isTrigger(type: string, loops: Loops): boolean {
  const kind = kindOf(type, loops);
  return kind ? TRIGGERS.has(kind) : /Trigger$/.test(type);
}
