import { en } from "./en.ts";

/** The texts of the console. A second language has the same shape. */
export const m = en;
export type Messages = typeof en;
