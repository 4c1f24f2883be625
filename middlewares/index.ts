import { access } from "./access.ts";
import { storeErrors } from "./store-errors.ts";
import { validate } from "./validate.ts";

/**
 * What every action passes, the nearest to the action first: whoever may not call it at all is told so before anything
 * about the input.
 */
export const middlewares = [validate, access, storeErrors];
