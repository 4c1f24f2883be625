import { v7 as uuid } from "uuid";
import { defineCollection, type DocumentOf, where } from "../../../adapters/store/define-collection.ts";
import {
  boolean,
  date,
  json,
  nested,
  number,
  oneOf,
  optional,
  optionalOrNull,
  string,
  strings,
} from "../../../adapters/store/field-types.ts";
import {
  EXECUTION_STATUSES,
  TRIGGER_TYPES,
  type Compensation,
  type ExecutionError,
  type ExecutionParent,
  type PathPart,
  type StartedByKey,
  type Suspension,
  type Trigger,
} from "../../../contracts/entities/execution.ts";
import type { Labels } from "../../../contracts/entities/run-identity.ts";
import type { AnswerGiven, EventGiven } from "../../../core/run/answers.ts";
import type { JournalEntry } from "../../../core/run/entry.ts";
import type { Address } from "../../../core/run/frame.ts";
import { isFinal } from "../../../core/run/state.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX } from "../../../service-kit/outbox.ts";

/** A message for an execution. It waits in the inbox until a worker puts it into the journal. */
export type Signal =
  | ({ kind: "answer" } & AnswerGiven)
  /** The question was not answered in time. Only the first of answer and expiry counts. */
  | ({ kind: "expiry"; attempt: number } & Address)
  /** A signal, or a call of the step's own address, for a step that waits for it. */
  | ({ kind: "event" } & EventGiven)
  /** An execution that a step waits for has changed: the worker that takes the signal reads its state. */
  | ({ kind: "child"; childId: string } & Address);

const queued = { partialFilterExpression: { queued: true } };
const followed = { partialFilterExpression: { followUp: true } };

/**
 * The projection of a journal, for lists and for claiming. An execution can be claimed while it is `queued`, is held by
 * a worker while it has `workerId`, and is queued by the clock at `wakeAt`.
 */
export const Executions = defineCollection({
  name: "executions",
  tenant: true,
  fields: {
    spaceId: string(),
    workflowId: string(),
    workflowVersion: number(),
    status: oneOf(EXECUTION_STATUSES),
    trigger: nested<Trigger>({ type: optional(oneOf(TRIGGER_TYPES)), id: optional(string()) }),
    startedBy: string(),
    startedByKey: optional(json<StartedByKey>()),
    attempt: number(),
    key: optional(string()),
    /** The key while the execution is open. At most one open execution of a workflow has it. */
    openKey: optional(string()),
    labels: optional(json<Labels>()),
    note: optional(string()),
    /**
     * The latest execution that retries this one. It is written before that execution, so it may name one that was
     * never stored.
     */
    retriedBy: optional(string()),
    error: optionalOrNull(json<ExecutionError>()),
    compensation: optional(json<Compensation>()),
    suspension: optional(json<Suspension>()),
    /** The number of open questions. Unset if there are none. */
    asking: optional(number()),
    inbox: optional(json<readonly (Signal & { seq: number })[]>()),
    /** The number of signals that ever arrived. A worker that parks an execution must have taken all of them. */
    inboxed: optional(number()),
    /** The number of signals in the journal. The inbox no longer needs these. */
    journaled: optional(number()),
    /** The execution whose step waits for this one. Used by queries, and for the signal at the end of this one. */
    parentId: optional(string()),
    parent: optional(json<ExecutionParent>()),
    /** The number of executions above this one. */
    depth: optional(number()),
    /**
     * The execution is below a schedule or webhook: subworkflows run in their deployed versions, and no user's memories
     * are implied.
     */
    deployed: optional(boolean()),
    /** The failure of another execution started it, or one above it. It starts no error workflow itself. */
    forFailure: optional(boolean()),
    /** Work outside of the execution remains to be done after it was suspended or has ended. */
    followUp: optional(boolean()),
    followUpId: optional(string()),
    /** A cancel has begun. It is written before the journal, so the follow-ups can finish an interrupted cancel. */
    cancelling: optional(boolean()),
    /** The last cancel that was requested. A follow-up that finishes it ends the journal with this id. */
    cancelId: optional(string()),
    /** The execution is to be cancelled, or was cancelled, and compensates before it ends. */
    undoes: optional(oneOf(["intended", "begun"] as const)),
    /**
     * The group of executions that share a workflow's limit on concurrent runs. Set when such an execution is first
     * claimed.
     */
    group: optional(string()),
    createdAt: date(),
    startedAt: optionalOrNull(date()),
    finishedAt: optionalOrNull(date()),
    /** The result of `durationOf` for an ended execution. Nodes of earlier versions do not write it. */
    durationMs: optional(number()),
    /** The statistics include the execution, so it may be removed when its retention ends. */
    counted: optional(boolean()),
    queued: optional(boolean()),
    /** Start-time fair-queueing tag: the lowest is claimed first. */
    order: optional(number()),
    workerId: optional(string()),
    /** True if the last worker that held the execution was lost. */
    lost: optional(boolean()),
    wakeAt: optional(date()),
    ...OUTBOX_FIELDS,
  },
  indexes: [
    // For lists by time. The leading fields are those whose values `listBranches` enumerates.
    [{ workspaceId: 1, spaceId: 1, createdAt: -1, _id: -1 }],
    [{ workspaceId: 1, spaceId: 1, workflowId: 1, createdAt: -1, _id: -1 }],
    [{ workspaceId: 1, spaceId: 1, status: 1, "trigger.type": 1, createdAt: -1, _id: -1 }],
    [{ workspaceId: 1, spaceId: 1, workflowId: 1, status: 1, "trigger.type": 1, createdAt: -1, _id: -1 }],
    // For lists of ended runs, by end time and by duration. They enumerate the three final statuses.
    [{ workspaceId: 1, spaceId: 1, status: 1, finishedAt: -1, _id: -1 }, where("finishedAt")],
    [{ workspaceId: 1, spaceId: 1, status: 1, durationMs: -1, _id: -1 }, where("durationMs")],
    [{ counted: 1, finishedAt: 1, _id: 1 }, where("finishedAt")],
    [{ order: 1, _id: 1 }, queued],
    [{ workspaceId: 1, order: -1, _id: -1 }, queued],
    // For the executions of a worker, and the number of held executions of each workspace.
    [{ workerId: 1, workspaceId: 1, _id: 1 }, where("workerId")],
    [{ wakeAt: 1, _id: 1 }, where("wakeAt")],
    // For the number of executions of the whole store that wait for people.
    [{ status: 1, _id: 1 }, where("asking")],
    [{ followUp: 1, _id: 1 }, followed],
    OUTBOX_INDEX,
    [{ workspaceId: 1, parentId: 1, _id: 1 }, where("parentId")],
    [{ workspaceId: 1, group: 1, _id: 1 }, where("group")],
    [
      { workspaceId: 1, workflowId: 1, openKey: 1 },
      { unique: true, ...where("openKey") },
    ],
    [{ workspaceId: 1, key: 1, createdAt: -1, _id: -1 }, where("key")],
  ],
});
export type ExecutionDoc = DocumentOf<typeof Executions>;

/**
 * The fields that record that follow-up work remains. Each mark has its own id, so a worker that has finished earlier
 * work does not clear the mark of later work.
 */
export const markFollowUp = () => ({ followUp: true, followUpId: uuid() });

/** The statuses of executions that have ended. */
export const ENDED_STATUSES = EXECUTION_STATUSES.filter(isFinal);
/** The statuses of executions that have not ended. */
export const UNFINISHED_STATUSES = EXECUTION_STATUSES.filter(status => !isFinal(status));

const SEQ_DIGITS = 9;
export const journalId = (executionId: string, seq: number): string =>
  `${executionId}:${String(seq).padStart(SEQ_DIGITS, "0")}`;
/** The range of ids of an execution's journal, from the seq `from` on. */
export const journalRange = (executionId: string, from = 0) => ({
  $gte: journalId(executionId, from),
  $lt: `${executionId};`,
});

/**
 * One append to a journal: entries that became true together. `seq` is that of the first entry. The id consists of the
 * execution's id and `seq`, so its uniqueness is the fence: a worker that lost its execution cannot append. Ids sort in
 * the order of the journal.
 */
export const Journal = defineCollection({
  name: "journal",
  tenant: true,
  fields: {
    executionId: string(),
    seq: number(),
    entries: json<JournalEntry[]>(),
    /** The cancel that ended the execution with this append, or made it compensate. */
    cancelId: optional(string()),
  },
});
export type JournalDoc = DocumentOf<typeof Journal>;

/**
 * An answer that a run has taken, for lists. The journal contains it in full. Ids begin with the execution's id, so
 * that a removal finds them by range, like the journal. The rest of the id identifies the question, so an answer that
 * is written again replaces itself.
 */
export const Answers = defineCollection({
  name: "answers",
  tenant: true,
  fields: {
    executionId: string(),
    spaceId: string(),
    workflowId: string(),
    workflowVersion: number(),
    nodeId: string(),
    nodeName: string(),
    path: optional(json<readonly PathPart[]>()),
    prompt: string(),
    question: optional(string()),
    assignees: optional(strings()),
    askedAt: date(),
    answeredAt: date(),
    answeredBy: string(),
    approved: boolean(),
    data: optional(json()),
    dataBytes: optional(number()),
    seq: number(),
  },
  indexes: [
    [{ workspaceId: 1, answeredAt: -1, _id: -1 }],
    [{ workspaceId: 1, spaceId: 1, answeredAt: -1, _id: -1 }],
    [{ workspaceId: 1, workflowId: 1, answeredAt: -1, _id: -1 }],
    [{ workspaceId: 1, answeredBy: 1, answeredAt: -1, _id: -1 }],
  ],
});
export type AnswerDoc = DocumentOf<typeof Answers>;

/** A node that runs executions. It counts as alive until `expiresAt`. */
export const Workers = defineCollection({
  name: "workers",
  tenant: false,
  fields: {
    startedAt: date(),
    expiresAt: date(),
    /** In ms. Leases differ between workers while an operator changes the setting. */
    leaseMs: optional(number()),
  },
  indexes: [[{ expiresAt: 1 }]],
});

/** One slot of a workflow's limit on concurrent runs, and the run that holds it. */
export const Slots = defineCollection({
  name: "slots",
  tenant: true,
  fields: { group: string(), executionId: string(), takenAt: date() },
  indexes: [[{ workspaceId: 1, group: 1, takenAt: 1 }]],
});
export type SlotDoc = DocumentOf<typeof Slots>;
