import type { ActionSchema, Context, Middleware } from "moleculer";
import type { KeptAnswer, Reservation } from "../contracts/actions/idempotency.ts";
import { call, type Meta } from "../contracts/call.ts";
import { AppError, type ErrorCode, errorCode, type ErrorData, ERRORS } from "../contracts/errors.ts";
import type { OnceOnly, RequestHeaders, RequestLocals } from "../contracts/request.ts";
import { type Reader, readerOf } from "../contracts/resource.ts";
import { ROUTES, takesIdempotencyKey } from "../contracts/routes.ts";

type Params = Record<string, unknown> & { workspaceId?: string };
type Keyed = Context<Params, Meta, RequestLocals, RequestHeaders>;
type Next = (ctx: Context) => Promise<unknown>;

/** What another try may find otherwise, so it is not kept: who asks, what they may, and who was quicker. */
const PASSING: ReadonlySet<number> = new Set([400, 401, 403, 429]);
const keeps = (code: ErrorCode) =>
  ERRORS[code].status < 500 && !PASSING.has(ERRORS[code].status) && code !== "conflict";

function replay(answer: KeptAnswer): unknown {
  if ("result" in answer) return answer.result;
  throw new AppError(answer.error.code as ErrorCode, answer.error.data as ErrorData);
}

/** What the try before created, where that had come so far. */
async function created(ctx: Keyed, { action, fields }: Reader, newId: string): Promise<unknown> {
  const ids = fields.map((field, place) => [field, place === fields.length - 1 ? newId : ctx.params[field]] as const);
  // Where the reader needs what the call may leave out, the insert under the same id finds what is there.
  if (ids.some(([, id]) => id === undefined)) return undefined;
  try {
    return await call(ctx, action, Object.fromEntries(ids) as never);
  } catch (error) {
    if (errorCode(error) !== "not_found") throw error;
    return undefined;
  }
}

/** The call itself, unless a try before it was cut off when it had done its work. */
async function carryOut(ctx: Keyed, next: Next, { again, newId }: Reservation, reader?: Reader): Promise<unknown> {
  const found = again && reader ? await created(ctx, reader, newId) : undefined;
  if (found !== undefined) {
    ctx.meta.replayed = true;
    return found;
  }
  ctx.locals.newId = newId;
  return next(ctx);
}

async function once(
  ctx: Keyed,
  { scope, fingerprint, keepsRefusals }: OnceOnly,
  next: Next,
  reader?: Reader,
): Promise<unknown> {
  const { workspaceId = null } = ctx.params;
  const reservation = await call(ctx, "idempotency.reserve", { scope, fingerprint, workspaceId });
  const { holder, renewMs } = reservation;
  if (reservation.answer) {
    ctx.meta.replayed = true;
    return replay(reservation.answer);
  }
  // A result that could not be kept is still one: the next try finds what was created.
  const settle = (answer: KeptAnswer | null) =>
    call(ctx, "idempotency.settle", { scope, holder, answer }).catch((error: unknown) =>
      ctx.broker.logger.warn("The answer to an Idempotency-Key could not be kept.", error),
    );
  const renew = () => void call(ctx.broker, "idempotency.renew", { scope, holder }).catch(() => undefined);
  const beat = setInterval(renew, renewMs);
  beat.unref();
  try {
    const result = await carryOut(ctx, next, reservation, reader);
    await settle({ result });
    return result;
  } catch (error) {
    const code = errorCode(error);
    // After a try that was cut off, a refusal may come from what that one left half-way.
    const final = keepsRefusals && code !== undefined && keeps(code) && !reservation.again;
    await settle(final ? { error: { code, data: (error as AppError).data as ErrorData } } : null);
    throw error;
  } finally {
    clearInterval(beat);
  }
}

/**
 * Carries a call with an Idempotency-Key out once, and gives what that gave to all others. Whoever calls has passed the checks
 * of rights and input before, each time. What creates under `newId` does so once even if a process is killed in between.
 */
export const idempotency: Middleware = {
  name: "idempotency",
  localAction(next: Next, { name = "" }: ActionSchema) {
    const route = ROUTES.find(({ action, ...rest }) => (action as string) === name && takesIdempotencyKey(rest));
    if (!route) return next;
    const reader = readerOf(route);
    return function keyed(ctx: Context) {
      const own = ctx as Keyed;
      return own.headers.once ? once(own, own.headers.once, next, reader) : next(ctx);
    };
  },
};
