import { defineCollection, type DocumentOf } from "../../adapters/store/define-collection.ts";
import { date, nullable, optionalOrNull, sealed, string } from "../../adapters/store/field-types.ts";

/** The purpose with which responses are sealed. */
export const ANSWERS = "idempotency answers";

/** One key of one caller for one method and path. The id is a keyed hash of all these. */
export const idempotencyKeys = defineCollection({
  name: "idempotencyKeys",
  tenant: false,
  fields: {
    /** The workspace that the call concerns. The key is removed with it. */
    workspaceId: nullable(string()),
    /** A keyed hash of the body. */
    fingerprint: string(),
    /** The call that performs the action. It renews its lease until there is a response. */
    holder: string(),
    leaseUntil: date(),
    /** The id of the object that the call creates. */
    newId: string(),
    /** Set once there is a response. */
    answer: optionalOrNull(sealed(ANSWERS)),
    expiresAt: date(),
  },
  indexes: [[{ expiresAt: 1 }], [{ workspaceId: 1 }]],
});
export type KeyDoc = DocumentOf<typeof idempotencyKeys>;
