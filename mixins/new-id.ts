import { v7 as uuid } from "uuid";
import type { RequestLocals } from "../contracts/request.ts";

/**
 * The id for what an action creates. With an Idempotency-Key it is the same for every try, so that a try after one that was
 * cut off finds what that one created, and can create nothing beside it.
 */
export const newId = ({ locals }: { locals: RequestLocals }): string => locals.newId ?? uuid();
