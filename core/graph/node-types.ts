import type { z } from "zod";
import { checkCode } from "../code/check-code.ts";
import { nullAsAbsent } from "./absent-fields.ts";
import { agentData } from "./agent-data.ts";
import { NEEDS_LOOPS, NEEDS_SIGNALS } from "./journal-formats.ts";
import * as data from "./node-data.ts";
import { email } from "./mail-data.ts";
import { sql, writtenQueryFaults } from "./sql-data.ts";
import { s3 } from "./storage-data.ts";
import { spreadsheet } from "./spreadsheet-data.ts";
import { wait } from "./wait-data.ts";

/** What is true of every node of a type. A flag that is absent is false. */
export interface NodeType<D extends z.ZodType = z.ZodType> {
  /** The data that the step takes once its expressions are resolved. */
  data: D;
  /** The handles at which edges may leave the node. */
  handles(data: unknown): string[];
  /** The fault of valid data that the schema cannot express; null if the step can run. */
  check?(data: unknown): { path: string[]; message: string } | null;
  /** The faults of the data as written, before its expressions are resolved. The rest of the data need not be valid. */
  checkWritten?(data: Readonly<Record<string, unknown>>): { path: string[]; message: string }[];
  /** The data is taken literally. Braces in it are not expressions. */
  literal?: boolean;
  /** The fields that the step sends out. Only these may contain expressions that name secrets. */
  sendsOut?: readonly string[];
  /**
   * The fields whose expressions the step evaluates itself, over a scope that also has the name `sees`. The step gets
   * the fields as written.
   */
  later?: { fields: readonly string[]; sees: "response" | "loop" };
  /** Computes the time limit of one attempt in ms from the limit in its policy. */
  limitMs?: (data: unknown, timeoutMs: number) => number;
  /** The time limit of one attempt in ms if its policy states none. Most types use DEFAULT_TIMEOUT_MS. */
  timeoutMs?: number;
  /** The time limit counts processor time, and the step itself enforces it. */
  ofProcessor?: boolean;
  /** The step ends by asking the engine to wait, so a time limit has no meaning for it. */
  untimed?: boolean;
  /** A run starts here: the node passes the run's input on. If it is disabled, it starts nothing. */
  startsRun?: boolean;
  /**
   * The node joins branches. With `all` it runs when all sources have settled, with `any` when the first edge was
   * taken.
   */
  joins?(data: unknown): "all" | "any";
  /**
   * Other nodes can be inside the node. They run once for each of its items or rounds, with limits of their own, so the
   * node has neither a time limit nor retries.
   */
  contains?: boolean;
  /** The step calls something outside its run: a server, a model, another service, or another workflow. */
  reaches?: boolean;
  /** A test of the step shows the call without making it. */
  shownInTests?: boolean;
  /** The step runs the workflow that its `workflowId` names. */
  runsWorkflow?: boolean;
  /**
   * The step only computes and has no effect outside its run. It may be performed again until its result is visible, so
   * it may be performed before its start is on disk.
   */
  pure?: boolean;
  /** The step only produces an output. It is useless if no expression reads that output. */
  onlyGives?: boolean;
  /** Whether a step with this data takes the output of the previous step as its input, without naming it. */
  takesWhatComes?(data: Readonly<Record<string, unknown>>): boolean;
  /** The boolean field whose value is the handle that the step takes. */
  choosesBy?: string;
  /** The fields that are conditions: the step tests whether their value is true, as an expression does. */
  conditions?: readonly string[];
  /** The field with the text that the step asks a person or a model. */
  asksBy?: string;
  /** The steps inside run in rounds, one after another, instead of for items. */
  inRounds?: boolean;
  /** The step waits for an answer from a person or from something outside the run. */
  awaitsOutside?: boolean;
  /** The step waits for a call, for which its data may demand a credential. */
  takesCalls?: boolean;
  /** The step sets the response for a caller that waits for the run. */
  responds?: boolean;
  /** The journal format that a worker must support to run workflows with such a node: see `JOURNAL_FORMAT`. */
  needs?: number;
}

const out = () => ["out"];

/** An agent makes many calls, each with its own limit. */
const AGENT_TIMEOUT_MS = 600_000;

function caseHandles(given: unknown): string[] {
  const cases = (given as { cases?: unknown } | null)?.cases;
  // The data may be invalid here. Its faults are reported elsewhere.
  const ids = (Array.isArray(cases) ? cases.slice(0, data.MAX_CASES) : []).map(c => (c as { id?: unknown } | null)?.id);
  return [...ids.filter(id => typeof id === "string").map(id => `case:${id}`), "default"];
}

function checkCodeData(given: unknown): ReturnType<NonNullable<NodeType["check"]>> {
  const message = checkCode((given as z.output<typeof data.code>).code);
  return message === null ? null : { path: ["code"], message };
}

const joins = (given: unknown) => ((given as { mode?: unknown }).mode === "any" ? "any" : "all");

const TYPES = {
  trigger: { data: data.trigger, handles: out, startsRun: true, pure: true },
  transform: { data: data.transform, handles: out, onlyGives: true, pure: true },
  http: {
    data: data.http,
    handles: out,
    sendsOut: ["url", "query", "headers", "body"],
    later: { fields: ["pagination"], sees: "response" },
    limitMs: data.pagesLimitMs,
    reaches: true,
  },
  api: {
    data: data.api,
    handles: out,
    later: { fields: ["pagination"], sees: "response" },
    limitMs: data.pagesLimitMs,
    reaches: true,
  },
  email: { data: email, handles: out, sendsOut: ["headers"], reaches: true },
  s3: { data: s3, handles: out, reaches: true },
  sql: {
    data: sql,
    handles: out,
    sendsOut: ["parameters", "statements"],
    checkWritten: writtenQueryFaults,
    reaches: true,
  },
  spreadsheet: { data: spreadsheet, handles: out, reaches: true },
  condition: {
    data: data.condition,
    handles: () => ["true", "false"],
    choosesBy: "if",
    conditions: ["if"],
    pure: true,
  },
  switch: { data: data.switchData, handles: caseHandles, pure: true },
  merge: { data: data.merge, handles: out, joins, takesWhatComes: () => true, pure: true },
  delay: { data: data.delay, handles: out, untimed: true, takesWhatComes: () => true, pure: true },
  map: { data: data.map, handles: out, untimed: true, contains: true, pure: true },
  loop: {
    data: data.loop,
    handles: out,
    later: { fields: ["carry", "while", "until", "next"], sees: "loop" },
    conditions: ["while", "until"],
    untimed: true,
    contains: true,
    inRounds: true,
    pure: true,
    needs: NEEDS_LOOPS,
  },
  subworkflow: {
    data: data.subworkflow,
    handles: out,
    takesWhatComes: given => given.input === undefined,
    reaches: true,
    runsWorkflow: true,
  },
  code: { data: data.code, handles: out, check: checkCodeData, literal: true, ofProcessor: true, onlyGives: true },
  retriever: { data: data.retriever, handles: out, onlyGives: true, reaches: true },
  memory: { data: data.memory, handles: out, reaches: true },
  tool: { data: data.tool, handles: out, reaches: true, shownInTests: true },
  llm: { data: data.llm, handles: out, reaches: true, asksBy: "prompt" },
  agent: { data: agentData, handles: out, timeoutMs: AGENT_TIMEOUT_MS, reaches: true },
  notify: { data: data.notify, handles: out, reaches: true },
  human: {
    data: data.human,
    handles: () => ["approved", "out", "rejected", "timeout"],
    untimed: true,
    awaitsOutside: true,
    asksBy: "prompt",
  },
  wait: {
    data: wait,
    handles: () => ["received", "out", "timeout"],
    untimed: true,
    awaitsOutside: true,
    takesCalls: true,
    needs: NEEDS_SIGNALS,
  },
  respond: { data: data.respond, handles: out, responds: true, pure: true },
  fail: { data: data.fail, handles: () => [], pure: true },
} satisfies Record<string, NodeType>;

type Table<T extends Record<string, NodeType>> = {
  [N in keyof T]: Omit<NodeType, "data"> & { data: z.ZodType<z.output<T[N]["data"]>> };
};

/** In the data of any type, an optional field that is null counts as absent. */
export const NODE_TYPES = Object.fromEntries(
  Object.entries<NodeType>(TYPES).map(([name, type]) => [name, { ...type, data: nullAsAbsent(type.data) }]),
) as Table<typeof TYPES>;

export type NodeTypeName = keyof typeof NODE_TYPES;
/** The resolved data of a node type. */
export type DataOf<N extends NodeTypeName> = z.output<(typeof NODE_TYPES)[N]["data"]>;

/**
 * The handle by which a disabled node passes its input on: `out`, or the first handle of its type; undefined if the
 * type has no handles.
 */
export function passingHandle(type: NodeTypeName, data: unknown): string | undefined {
  const handles = NODE_TYPES[type].handles(data);
  return handles.includes("out") ? "out" : handles[0];
}

/**
 * Whether a step of the node may be performed before its start is on disk. A disabled node only passes its input on.
 */
export const isPure = ({ type, disabled }: { type: NodeTypeName; disabled: boolean }): boolean =>
  disabled || NODE_TYPES[type].pure === true;

/** Whether the steps inside the node run in rounds instead of for items. */
export const runsInRounds = (type: NodeTypeName | undefined): boolean =>
  type !== undefined && NODE_TYPES[type].inRounds === true;

export function isNodeType(type: string): type is NodeTypeName {
  return Object.hasOwn(NODE_TYPES, type);
}
