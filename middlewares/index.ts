import { access } from "./access.ts";
import { auditChanges, auditDenials } from "./audit.ts";
import { idempotency } from "./idempotency.ts";
import { storeErrors } from "./store-errors.ts";
import { validate } from "./validate.ts";

/**
 * The middlewares of every action, innermost first. Access is checked before the input, so a caller without rights
 * learns nothing about the input. A call that repeats an earlier answer still passes these checks, and changes nothing.
 */
export const middlewares = [auditChanges, idempotency, validate, access, auditDenials, storeErrors];
