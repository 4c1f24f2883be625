import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";

/** In KiB. Stays below the 8 MiB of a process's default stack. */
const STACK_KIB = 4_096;

/** The signals that end a process when V8 or the system refuses it memory. */
export const OUT_OF_MEMORY = new Set<NodeJS.Signals | null>(["SIGABRT", "SIGTRAP", "SIGILL", "SIGKILL"]);

/**
 * Starts a file that calls serveTasks. It uses a process instead of a thread, because one large allocation beyond a
 * thread's heap limit ends the whole process.
 */
export function startProcess(file: string, heapMb: number): ChildProcess {
  const cache = getCompileCacheDir();
  return fork(file, {
    // Without the time zone, times would depend on the machine. With this process's compile cache, a start takes half
    // as long.
    env: { TZ: "UTC", ...(cache && { NODE_COMPILE_CACHE: dirname(cache) }) },
    execArgv: [`--max-old-space-size=${heapMb}`, "--max-semi-space-size=8", `--stack-size=${STACK_KIB}`],
    // JSON would drop functions silently.
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // Keeps Ctrl-C from these processes. The service receives it, finishes its steps and ends its processes itself.
    detached: true,
  });
}

/** Keeps this process alive while the child works, until `letProcessExit`. */
export function keepProcessAlive(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}
export function letProcessExit(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** The tick of Linux's clock for processor time. It is the same for every program. */
const MS_PER_TICK = 10;

/** The processor time that a process has used, in ms, rounded to ten. Undefined if `/proc` does not exist. */
export function processorMs({ pid }: ChildProcess): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The process name may contain any character, so fields are counted after it. Fields 14 and 15 are user and system
    // time.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return undefined;
  }
}

/** Ends a process immediately, and waits for its exit. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, "exit");
  keepProcessAlive(child);
  child.kill("SIGKILL");
  await exit;
}
