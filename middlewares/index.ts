import { access } from "./access.ts";
import { auditChanges, auditDenials } from "./audit.ts";
import { idempotency } from "./idempotency.ts";
import { storeErrors } from "./store-errors.ts";
import { validate } from "./validate.ts";

/**
 * What every action passes, the nearest to the action first: whoever may not call it at all is told so before anything
 * about the input. A call that only gets an earlier answer again has the rights and the input for it, and changes nothing.
 */
export const middlewares = [auditChanges, idempotency, validate, access, auditDenials, storeErrors];
