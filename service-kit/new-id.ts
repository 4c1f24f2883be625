import { v7 as uuid } from "uuid";
import type { RequestLocals } from "../contracts/request.ts";

/**
 * The id for what an action creates. With an Idempotency-Key it is the same for every attempt, so an attempt after an
 * interrupted one finds what that one created, and creates no duplicate.
 */
export const newId = ({ locals }: { locals: RequestLocals }): string => locals.newId ?? uuid();
