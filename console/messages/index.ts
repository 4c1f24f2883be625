import { en } from "./en.ts";

/** The texts of the console. Another language would have the same shape. */
export const m = en;
export type Messages = typeof en;
