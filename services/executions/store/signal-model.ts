import { defineCollection, type DocumentOf, where } from "../../../adapters/store/define-collection.ts";
import { date, json, number, optional, string } from "../../../adapters/store/field-types.ts";
import type { Address } from "../../../core/run/frame.ts";

/**
 * A step that waits for a signal. Signals find it by an index. Its id consists of the execution, the step and the
 * attempt. It is written with or after the entry with which the step begins to wait, and may outlive the wait.
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
    /** The step in the form that the token of `$resumeUrl` uses. */
    place: string(),
  },
  indexes: [[{ workspaceId: 1, event: 1, key: 1, _id: 1 }, where("event")], [{ workspaceId: 1, place: 1, _id: 1 }]],
});
export type WaitDoc = DocumentOf<typeof Waits>;

/**
 * A signal from outside. It is stored for the first step that waits for it. It remains stored afterwards, so that a
 * repeat has no effect.
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
    /**
     * Who has claimed the signal, so that no other step takes it: a wait, or `SENDER` while it is given to all waiting
     * steps.
     */
    takenBy: optional(string()),
    /** The waits to which its sender was giving it. After a crash, they show which steps already received it. */
    offered: optional(json<WaitDoc[]>()),
    /** How many steps received it. */
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
