import type { KeptAnswer } from "../../contracts/actions/idempotency.ts";
import { handle } from "../../contracts/call.ts";
import { removeAll } from "../../service-kit/remove-all.ts";
import { idempotencyKeys } from "./model.ts";
import { leaseFrom } from "./reserve.ts";
import { hashOf, type IdempotencyService } from "./service.ts";

/** The maximum length of a response as JSON. */
const MAX_CHARS = 4 * 1024 * 1024;

function textOf(answer: KeptAnswer): string {
  const text = JSON.stringify(answer);
  if (text.length <= MAX_CHARS) return text;
  const { id } = ("result" in answer ? (answer.result as { id?: unknown } | null) : null) ?? {};
  const detail =
    typeof id === "string" ? `The request succeeded. It created the resource with the id ${id}.` : undefined;
  return JSON.stringify({ error: { code: "idempotency_answer_too_large", data: { detail } } });
}

/** This changes nothing if another call has taken over the key. */
export const settle = handle<"idempotency.settle", IdempotencyService>("idempotency.settle", async function (ctx) {
  const { scope, holder, answer } = ctx.params;
  const id = hashOf(this, scope);
  const $set = answer ? { answer: this.sealer.seal(textOf(answer), id) } : { leaseUntil: new Date() };
  await this.store.global(idempotencyKeys).updateOne({ id, holder, answer: null }, { $set });
  return null;
});

export const renew = handle<"idempotency.renew", IdempotencyService>("idempotency.renew", async function (ctx) {
  const { scope, holder } = ctx.params;
  const filter = { id: hashOf(this, scope), holder, answer: null };
  await this.store.global(idempotencyKeys).updateOne(filter, { $set: { leaseUntil: leaseFrom(new Date()) } });
  return null;
});

export const purge = handle<"idempotency.purge", IdempotencyService>("idempotency.purge", async function (ctx) {
  await removeAll(this.store.global(idempotencyKeys), { workspaceId: ctx.params.workspaceId });
  return null;
});
