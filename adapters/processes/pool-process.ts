import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** In KiB, below the 8 MiB that a process has by default. */
const STACK_KIB = 4_096;

/** How a process ends that V8 refuses memory, or the system does. */
export const OUT_OF_MEMORY = new Set<NodeJS.Signals | null>(["SIGABRT", "SIGTRAP", "SIGILL", "SIGKILL"]);

/**
 * Starts a file that calls serveTasks. A process, not a thread: one large allocation beyond a thread's heap limit ends
 * the process that it runs in.
 */
export function startProcess(file: string, heapMb: number): ChildProcess {
  return fork(file, {
    // Times would otherwise depend on the machine.
    env: { TZ: "UTC" },
    execArgv: [`--max-old-space-size=${heapMb}`, "--max-semi-space-size=8", `--stack-size=${STACK_KIB}`],
    // As JSON, functions would be lost without a word.
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    // Ctrl-C is for the service, which stops with its steps done; it ends its processes by itself.
    detached: true,
  });
}

/** While it works, it keeps the process that waits for it alive; afterwards it does not. */
export function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}
export function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** Of the clock by which Linux counts processor time, for every program the same. */
const MS_PER_TICK = 10;

/** The processor time that it has used, in milliseconds to the nearest ten; undefined where there is no `/proc` to tell. */
export function processorMs({ pid }: ChildProcess): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Behind the name, which may have anything in it, come the fields from the third on: 14 and 15 are user and system time.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return undefined;
  }
}

/** Ends it at once, and waits until it has ended. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, "exit");
  hold(child);
  child.kill("SIGKILL");
  await exit;
}
