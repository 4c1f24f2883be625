import { keyOf, type Address } from "../../../core/run/frame.ts";
import type { ExecutionDoc, Signal } from "./model.ts";

/** Whether the inbox already contains an answer, a signal or an expiry that ends this wait. */
export function isSettled({ inbox = [] }: Pick<ExecutionDoc, "inbox">, at: Address, attempt: number): boolean {
  const settles = (signal: Signal) =>
    signal.kind !== "child" && keyOf(signal) === keyOf(at) && signal.attempt === attempt;
  return inbox.some(settles);
}
