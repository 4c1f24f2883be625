import { z } from "zod";
import { action } from "../define-action.ts";
import { id, json, nothing } from "../primitives.ts";

/** The response of a call: a result, or an error of the API. */
const answer = z.union([z.object({ error: z.object({ code: z.string(), data: json }) }), z.object({ result: json })]);
export type KeptAnswer = z.infer<typeof answer>;

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const held = { scope: digest, holder: id };

const reservation = z.object({
  /** The stored response of an earlier call with this key. If it is set, there is nothing left to do. */
  answer: answer.nullable(),
  /** The id of the lease. Its holder may perform the call as long as it renews the lease. */
  holder: id,
  renewMs: z.int(),
  /** The id for the resource that the call creates. It is the same for every holder of the lease. */
  newId: id,
  /** True if an earlier holder never recorded an outcome, so the resource may already exist. */
  again: z.boolean(),
});
export type Reservation = z.infer<typeof reservation>;

export const idempotencyActions = {
  /** Waits briefly if another call holds the key. Errors: idempotency_key_reused, idempotency_in_progress. */
  "idempotency.reserve": action(
    "internal",
    { scope: digest, fingerprint: digest, workspaceId: id.nullable() },
    reservation,
  ),
  /** Whether a response is stored for this key. The caller can ask before the body of the request has arrived. */
  "idempotency.answered": action("internal", { scope: digest }, z.object({ answered: z.boolean() }), { reads: true }),
  "idempotency.renew": action("internal", held, nothing),
  /** Stores the response. Without one, the next call with this key is performed again (`again`). */
  "idempotency.settle": action("internal", { ...held, answer: answer.nullable() }, nothing),
  "idempotency.purge": action("internal", { workspaceId: id }, nothing),
};
