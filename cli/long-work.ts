import type { OnProgress } from "../adapters/transfer/transfer.ts";
import { CommandError, INTERRUPTED, type Invocation } from "./command.ts";
import { Meter } from "./meter.ts";
import { printMessage } from "./terminal.ts";

const KNOWN: ReadonlySet<string> = new Set(["TransferError", "MongoAddressError"]);

const isKnown = (error: unknown): error is Error =>
  error instanceof Error && (KNOWN.has(error.name) || typeof (error as { code?: unknown }).code === "string");

/**
 * Runs a long task. It shows its progress, and on Ctrl-C lets it clean up before the exit code 130. Errors of the store
 * and of files become a CommandError.
 */
export async function longWork(
  given: Invocation,
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
      printMessage("weft: Interrupted.");
      return INTERRUPTED;
    }
    throw isKnown(error) ? new CommandError(error.message, { cause: error }) : error;
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
}
