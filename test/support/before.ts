import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMPILE_CACHE } from "./server.ts";

/**
 * Once, before the first suite: gives the run a temporary folder of its own, and removes it at the end of the run with
 * all that suites and their servers leave there. Workers do not remove anything when they end, because Jest gives them
 * little time for it.
 */
export default function before(): void {
  // The cache serves the next runs too.
  Object.assign(process.env, COMPILE_CACHE);
  const folder = mkdtempSync(join(tmpdir(), "weft-tests-"));
  // As the system folder, for the database servers, which run as users of their own.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  // A server that has just been killed may still finish a write.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 }));
  // npm passes on the signal that the terminal has already sent, and so it may come twice.
  process.on("SIGINT", () => process.exit(130));
  process.on("SIGTERM", () => process.exit(143));
}
