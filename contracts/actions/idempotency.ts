import { z } from "zod";
import { action } from "../define-action.ts";
import { id, json, nothing } from "../primitives.ts";

/** What a call gave: a result, or an error of the API. */
const answer = z.union([z.object({ error: z.object({ code: z.string(), data: json }) }), z.object({ result: json })]);
export type KeptAnswer = z.infer<typeof answer>;

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const held = { scope: digest, holder: id };

const reservation = z.object({
  /** The answer of the call that was carried out before; there is nothing to do. */
  answer: answer.nullable(),
  /** Whoever has this may carry the call out, for as long as it renews. */
  holder: id,
  renewMs: z.int(),
  /** The id for what the call creates, the same whoever holds it. */
  newId: id,
  /** Somebody held it before and said nothing of how it ended: what it creates may be there already. */
  again: z.boolean(),
});
export type Reservation = z.infer<typeof reservation>;

export const idempotencyActions = {
  /** Waits a moment where somebody else is at it. Errors: idempotency_key_reused, idempotency_in_progress. */
  "idempotency.reserve": action(
    "internal",
    { scope: digest, fingerprint: digest, workspaceId: id.nullable() },
    reservation,
  ),
  /** Whether a call with this key will be given an answer that is kept, also where its body takes a while to arrive. */
  "idempotency.answered": action("internal", { scope: digest }, z.object({ answered: z.boolean() })),
  "idempotency.renew": action("internal", held, nothing),
  /** Keeps the answer; without one the next call with this key is carried out (`again`). */
  "idempotency.settle": action("internal", { ...held, answer: answer.nullable() }, nothing),
  "idempotency.purge": action("internal", { workspaceId: id }, nothing),
};
