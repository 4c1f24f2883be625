import { defineCollection, type DocumentOf, where } from "../../../adapters/store/define-collection.ts";
import { date, json, number, optional, string } from "../../../adapters/store/field-types.ts";
import type { Address } from "../../../core/run/frame.ts";

/** One label of an execution, so that lists find it by an index. Its id is the execution's id and the label's name. */
export const RunLabels = defineCollection({
  name: "runLabels",
  tenant: true,
  fields: { executionId: string(), name: string(), value: string(), createdAt: date() },
  indexes: [[{ workspaceId: 1, name: 1, value: 1, createdAt: -1, _id: -1 }]],
});
export type RunLabelDoc = DocumentOf<typeof RunLabels>;
/** The range of ids of an execution's labels. */
export const labelRange = (executionId: string) => ({ $gte: `${executionId}:`, $lt: `${executionId};` });

/**
 * A step that waits for something from outside, so that a signal finds it. Its id is made of the execution, the step and
 * the attempt. It is written with the entry by which the step begins to wait, or after it, and may outlive the wait.
 */
export const Waits = defineCollection({
  name: "waits",
  tenant: true,
  fields: {
    spaceId: string(),
    executionId: string(),
    at: json<Address>(),
    attempt: number(),
    event: optional(string()),
    key: optional(string()),
    /** What the token of the step's own address names. */
    place: string(),
  },
  indexes: [[{ workspaceId: 1, event: 1, key: 1, _id: 1 }, where("event")], [{ workspaceId: 1, place: 1, _id: 1 }]],
});
export type WaitDoc = DocumentOf<typeof Waits>;

/**
 * What came from outside. Until a step has it, it is kept for the first one that waits for it. Afterwards it is kept so
 * that the same signal, sent again, does nothing.
 */
export const Signals = defineCollection({
  name: "signals",
  tenant: true,
  fields: {
    event: optional(string()),
    key: optional(string()),
    place: optional(string()),
    data: json(),
    receivedAt: date(),
    expiresAt: date(),
    /** What has claimed the signal, so that no other step takes it: a wait, or `SENDER` while it is given to all that wait. */
    takenBy: optional(string()),
    /** The waits to which its sender was giving it. After a crash, these tell whether it was given. */
    offered: optional(json<WaitDoc[]>()),
    /** How many steps got it. */
    delivered: optional(number()),
  },
  indexes: [
    [{ workspaceId: 1, event: 1, key: 1, receivedAt: 1, _id: 1 }, where("event")],
    [{ workspaceId: 1, place: 1, _id: 1 }, where("place")],
    [{ expiresAt: 1, _id: 1 }],
  ],
});
export const SENDER = "sender";
export type SignalDoc = DocumentOf<typeof Signals>;
