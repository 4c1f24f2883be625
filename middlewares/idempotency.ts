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

/**
 * Statuses that are not stored, because a retry may get another answer: they depend on the caller, on rights, and on
 * concurrent changes.
 */
const PASSING: ReadonlySet<number> = new Set([400, 401, 403, 429]);
const keeps = (code: ErrorCode) =>
  ERRORS[code].status < 500 && !PASSING.has(ERRORS[code].status) && code !== "conflict";

function replay(answer: KeptAnswer): unknown {
  if ("result" in answer) return answer.result;
  throw new AppError(answer.error.code as ErrorCode, answer.error.data as ErrorData);
}

/** The result of the previous attempt, if that attempt created it. */
async function created(ctx: Keyed, { action, fields }: Reader, newId: string): Promise<unknown> {
  const ids = fields.map((field, place) => [field, place === fields.length - 1 ? newId : ctx.params[field]] as const);
  // The reader needs an id that the call may omit. The action then finds the result, because its insert uses the same
  // id.
  if (ids.some(([, id]) => id === undefined)) return undefined;
  try {
    return await call(ctx, action, Object.fromEntries(ids) as never);
  } catch (error) {
    if (errorCode(error) !== "not_found") throw error;
    return undefined;
  }
}

/** Makes the call, unless a previous attempt was interrupted after its work was done. */
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
  // A result that could not be stored is still returned. A retry finds what was created.
  const settle = (answer: KeptAnswer | null) =>
    call(ctx, "idempotency.settle", { scope, holder, answer }).catch((error: unknown) =>
      ctx.broker.logger.warn("The answer to an Idempotency-Key could not be stored.", error),
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
    // After an interrupted attempt, its partial work may cause a refusal, so the refusal is not stored.
    const final = keepsRefusals && code !== undefined && keeps(code) && !reservation.again;
    await settle(final ? { error: { code, data: (error as AppError).data as ErrorData } } : null);
    throw error;
  } finally {
    clearInterval(beat);
  }
}

/**
 * Executes a call with an Idempotency-Key once, and returns its answer to all repeats. Rights and input are checked
 * before every attempt. An action that creates under `newId` creates once, even if the process is killed in between.
 */
export const idempotency: Middleware = {
  name: "idempotency",
  localAction(next: Next, { name = "" }: ActionSchema) {
    const route = ROUTES.find(route => (route.action as string) === name && takesIdempotencyKey(route));
    if (!route) return next;
    const reader = readerOf(route);
    return function keyed(ctx: Context) {
      const own = ctx as Keyed;
      return own.headers.once ? once(own, own.headers.once, next, reader) : next(ctx);
    };
  },
};
