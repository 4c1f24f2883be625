import { Schema } from "../../adapters/store/schema.ts";
import { defineCollection } from "../../adapters/store/define-collection.ts";

/** One key of one caller for one method and path, as a keyed hash of all of that. */
export interface KeyDoc {
  id: string;
  /** The workspace that the call is about, to go with it. */
  workspaceId: string | null;
  /** A keyed hash of the body. */
  fingerprint: string;
  /** Who carries the call out, until `leaseUntil` unless renewed. */
  holder: string;
  leaseUntil: Date;
  /** The id for what the call creates. */
  newId: string;
  /** The sealed answer, once there is one. */
  answer?: string | null;
  expiresAt: Date;
}

/** What answers are sealed for. */
export const ANSWERS = "idempotency answers";

const key = new Schema({
  workspaceId: String,
  fingerprint: { type: String, required: true },
  holder: { type: String, required: true },
  leaseUntil: { type: Date, required: true },
  newId: { type: String, required: true },
  answer: { type: String, sealedFor: ANSWERS },
  expiresAt: { type: Date, required: true },
});
key.index({ expiresAt: 1 });
key.index({ workspaceId: 1 });

export const idempotencyKeys = defineCollection<KeyDoc>({ name: "idempotencyKeys", schema: key, tenant: false });
