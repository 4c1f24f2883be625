import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import {
  EXECUTION_STATUSES,
  TRIGGER_TYPES,
  type ExecutionError,
  type ExecutionParent,
  type ExecutionStatus,
  type Suspension,
  type Trigger,
} from "../../contracts/entities/execution.ts";
import type { AnswerGiven } from "../../core/run/answers.ts";
import { OUTBOX_FIELDS, OUTBOX_INDEX, type Telling } from "../../mixins/outbox.ts";
import type { JournalEntry } from "../../core/run/entry.ts";
import type { Address } from "../../core/run/frame.ts";

/** What came for an execution while nobody held it, or while somebody else did, until a worker has taken it into the journal. */
export type Signal =
  | ({ kind: "answer" } & AnswerGiven)
  /** Nobody answered in time. Behind an answer it is none, and before one that answer is none. */
  | ({ kind: "expiry"; attempt: number } & Address)
  /** An execution that a step waits for has moved on: whoever takes this looks where it stands. */
  | ({ kind: "child"; childId: string } & Address);

/**
 * The projection of a journal, for lists and for claiming. It is claimable while `queued`, held by a worker while it has
 * `workerId`, and queued by the clock at `wakeAt`.
 */
export interface ExecutionDoc extends Telling {
  id: string;
  workspaceId: string;
  spaceId: string;
  workflowId: string;
  workflowVersion: number;
  status: ExecutionStatus;
  trigger: Trigger;
  startedBy: string;
  attempt: number;
  error?: ExecutionError | null;
  suspension?: Suspension | undefined;
  /** How many questions wait for an answer; missing where there are none. */
  asking?: number;
  inbox?: readonly (Signal & { seq: number })[];
  /** Signals that ever came: whoever parks an execution must know them all. */
  inboxed?: number;
  /** Of these, those that are in the journal: the inbox need not keep them. */
  journaled?: number;
  /** The step that waits for this execution, for queries and for its end. */
  parentId?: string;
  parent?: ExecutionParent;
  /** Executions above this one. */
  depth?: number;
  /** It is below a schedule or webhook: subworkflows run as deployed, and no user is the one whose memories are meant. */
  deployed?: boolean;
  /** It was started by the failure of another, or is below one that was, and starts none by its own. */
  forFailure?: boolean;
  /** Something is left to do elsewhere after it was suspended or has ended. */
  followUp?: boolean;
  followUpId?: string;
  /** Somebody cancels it: written before the journal is, so that a cancel which is cut off is finished by the follow-ups. */
  cancelling?: boolean;
  /** Of the last cancel that was written here: a follow-up that finishes it ends the journal in its name. */
  cancelId?: string;
  /** Whose turns it shares by its workflow's limit on concurrent runs, once it had to. */
  group?: string;
  createdAt: Date;
  startedAt?: Date | null;
  finishedAt?: Date | null;
  /** The statistics of its day have it: it may be removed when its time has come. */
  counted?: boolean;
  queued?: boolean;
  /** Start-time fair-queueing tag: the lowest is claimed first. */
  order?: number;
  workerId?: string;
  /** The worker that had it last was lost with it. */
  lost?: boolean;
  wakeAt?: Date;
}

const queued = { partialFilterExpression: { queued: true } };
const held = { partialFilterExpression: { workerId: { $exists: true } } };
const followed = { partialFilterExpression: { followUp: true } };
const child = { partialFilterExpression: { parentId: { $exists: true } } };
const grouped = { partialFilterExpression: { group: { $exists: true } } };
const finished = { partialFilterExpression: { finishedAt: { $exists: true } } };
const asking = { partialFilterExpression: { asking: { $exists: true } } };
const sleeping = { partialFilterExpression: { wakeAt: { $exists: true } } };

const executionSchema = new Schema({
  spaceId: { type: String, required: true },
  workflowId: { type: String, required: true },
  workflowVersion: { type: Number, required: true },
  status: { type: String, required: true, enum: EXECUTION_STATUSES },
  trigger: { type: { type: String, enum: TRIGGER_TYPES }, id: String },
  startedBy: { type: String, required: true },
  attempt: { type: Number, required: true },
  error: { type: String, json: true },
  suspension: { type: String, json: true },
  asking: Number,
  inbox: { type: String, json: true },
  inboxed: Number,
  journaled: Number,
  parentId: String,
  parent: { type: String, json: true },
  depth: Number,
  deployed: Boolean,
  forFailure: Boolean,
  followUp: Boolean,
  followUpId: String,
  cancelling: Boolean,
  cancelId: String,
  ...OUTBOX_FIELDS,
  group: String,
  createdAt: { type: Date, required: true },
  startedAt: Date,
  finishedAt: Date,
  counted: Boolean,
  queued: Boolean,
  order: Number,
  workerId: String,
  lost: Boolean,
  wakeAt: Date,
})
  // For lists: by time, behind values that `listBranches` names all of.
  .index({ workspaceId: 1, spaceId: 1, createdAt: -1, _id: -1 })
  .index({ workspaceId: 1, spaceId: 1, workflowId: 1, createdAt: -1, _id: -1 })
  .index({ workspaceId: 1, spaceId: 1, status: 1, "trigger.type": 1, createdAt: -1, _id: -1 })
  .index({ workspaceId: 1, spaceId: 1, workflowId: 1, status: 1, "trigger.type": 1, createdAt: -1, _id: -1 })
  .index({ counted: 1, finishedAt: 1, _id: 1 }, finished)
  .index({ order: 1, _id: 1 }, queued)
  .index({ workspaceId: 1, order: -1, _id: -1 }, queued)
  // What a worker holds, and how much of each workspace is held.
  .index({ workerId: 1, workspaceId: 1, _id: 1 }, held)
  .index({ wakeAt: 1, _id: 1 }, sleeping)
  // How many wait for people, in the whole store.
  .index({ status: 1, _id: 1 }, asking)
  .index({ followUp: 1, _id: 1 }, followed)
  .index(...OUTBOX_INDEX)
  .index({ workspaceId: 1, parentId: 1, _id: 1 }, child)
  .index({ workspaceId: 1, group: 1, _id: 1 }, grouped);

export const Executions = defineCollection<ExecutionDoc>({ name: "executions", schema: executionSchema, tenant: true });

/**
 * One append to a journal: entries that became true together; `seq` is that of the first. The id is made of both, so its
 * uniqueness is the fence that keeps a worker which lost its execution from writing on, and ids sort as the journal does.
 */
export interface JournalDoc {
  id: string;
  workspaceId: string;
  executionId: string;
  seq: number;
  entries: JournalEntry[];
  /** Where it ends the execution by a cancel: which one. */
  cancelId?: string;
}

const SEQ_DIGITS = 9;
export const journalId = (executionId: string, seq: number): string =>
  `${executionId}:${String(seq).padStart(SEQ_DIGITS, "0")}`;
/** Every id of an execution's journal lies between these two. */
export const journalRange = (executionId: string, from = 0) => ({
  $gte: journalId(executionId, from),
  $lt: `${executionId};`,
});

const journalSchema = new Schema({
  executionId: { type: String, required: true },
  seq: { type: Number, required: true },
  entries: { type: String, json: true },
  cancelId: String,
});

export const Journal = defineCollection<JournalDoc>({ name: "journal", schema: journalSchema, tenant: true });

/** A node that runs executions; alive until `expiresAt`. */
export interface WorkerDoc {
  id: string;
  startedAt: Date;
  expiresAt: Date;
  /** In ms. Workers may have leases of different lengths, as while the setting is changed. */
  leaseMs?: number;
}

const workerSchema = new Schema({
  startedAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
  leaseMs: Number,
}).index({ expiresAt: 1 });

export const Workers = defineCollection<WorkerDoc>({ name: "workers", schema: workerSchema, tenant: false });

/** One place among the runs of a workflow that may go on at a time, and the run that has it. */
export interface SlotDoc {
  id: string;
  workspaceId: string;
  group: string;
  executionId: string;
  takenAt: Date;
}

const slotSchema = new Schema({
  group: { type: String, required: true },
  executionId: { type: String, required: true },
  takenAt: { type: Date, required: true },
}).index({ workspaceId: 1, group: 1, takenAt: 1 });

export const Slots = defineCollection<SlotDoc>({ name: "slots", schema: slotSchema, tenant: true });
