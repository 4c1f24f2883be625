import { Schema } from "mongoose";
import { defineCollection } from "../../adapters/store/define-collection.ts";
import {
  EXECUTION_STATUSES,
  TRIGGER_TYPES,
  type ExecutionError,
  type ExecutionStatus,
  type Suspension,
  type Trigger,
} from "../../contracts/entities/execution.ts";
import type { JournalEntry } from "../../core/run/entry.ts";

/** The answer of a person, until a worker has taken it into the journal. */
export interface Answer {
  nodeId: string;
  approved: boolean;
  data: unknown;
  respondedBy: string;
  respondedAt: string;
}

/**
 * The projection of a journal, for lists and for claiming. It is claimable while `queued`, held by a worker while it has
 * `workerId`, and queued by the clock at `wakeAt`.
 */
export interface ExecutionDoc {
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
  suspension?: Suspension;
  answer?: Answer;
  createdAt: Date;
  startedAt?: Date | null;
  finishedAt?: Date | null;
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
  answer: { type: String, json: true },
  createdAt: { type: Date, required: true },
  startedAt: Date,
  finishedAt: Date,
  queued: Boolean,
  order: Number,
  workerId: String,
  lost: Boolean,
  wakeAt: Date,
})
  .index({ workspaceId: 1, spaceId: 1, _id: -1 })
  .index({ workspaceId: 1, spaceId: 1, workflowId: 1, _id: -1 })
  .index({ workspaceId: 1, spaceId: 1, status: 1, _id: -1 })
  .index({ order: 1, _id: 1 }, queued)
  .index({ workspaceId: 1, order: -1, _id: -1 }, queued)
  .index({ workerId: 1 }, held)
  .index({ workspaceId: 1, workerId: 1 }, held)
  .index({ wakeAt: 1, _id: 1 }, sleeping);

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
});

export const Journal = defineCollection<JournalDoc>({ name: "journal", schema: journalSchema, tenant: true });

/** A node that runs executions; alive until `expiresAt`. */
export interface WorkerDoc {
  id: string;
  startedAt: Date;
  expiresAt: Date;
}

const workerSchema = new Schema({
  startedAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
}).index({ expiresAt: 1 });

export const Workers = defineCollection<WorkerDoc>({ name: "workers", schema: workerSchema, tenant: false });
