import type { OnProgress } from "../adapters/transfer/progress.ts";
import { CommandError, type Given, INTERRUPTED } from "./command.ts";
import { Meter } from "./meter.ts";
import { tell } from "./terminal.ts";

const KNOWN: ReadonlySet<string> = new Set(["TransferError", "MongoAddressError"]);

const isKnown = (error: unknown): error is Error =>
  error instanceof Error && (KNOWN.has(error.name) || typeof (error as { code?: unknown }).code === "string");

/**
 * Does what takes a while: shows how far it is, and on Ctrl-C lets it tidy up before it ends with 130. What went wrong in the
 * store or with files becomes a CommandError.
 */
export async function longWork(
  given: Given,
  work: (signal: AbortSignal, onProgress: OnProgress) => Promise<void>,
): Promise<number | void> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const name of signals) process.on(name, interrupt);
  const meter = new Meter(process.stderr);
  try {
    await work(stop.signal, given.flag("json") ? () => undefined : meter.step);
  } catch (error) {
    meter.end();
    if (stop.signal.aborted) {
      tell("weft: Interrupted.");
      return INTERRUPTED;
    }
    throw isKnown(error) ? new CommandError(error.message, { cause: error }) : error;
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
}
