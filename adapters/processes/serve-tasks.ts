import { flushCompileCache } from "node:module";
import { Worker } from "node:worker_threads";

/**
 * A message from a process of a pool: the process is ready, or has the answer to its task. A process has one task at a
 * time.
 */
export type Message<Answer> = { ready: true } | { answer: Answer };

/** Ends this process when its parent is gone, even while an endless task holds the event loop. */
const ORPHAN_WATCH = `setInterval(() => {
  if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL");
}, 500)`;

/**
 * Answers the tasks of the pool that started this process. `answer` must not throw or reject, which would end the
 * process.
 */
export function serveTasks<Task, Answer>(answer: (task: Task) => Promise<Answer>): void {
  const send = (message: Message<Answer>) => process.send?.(message);
  new Worker(ORPHAN_WATCH, {
    eval: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  }).unref();
  process.once("disconnect", () => process.exit());
  process.on("message", (task: Task) => void answer(task).then(given => send({ answer: given })));
  send({ ready: true });
  // Node writes its cache of compiled code when the process exits, and a pool kills its processes.
  flushCompileCache();
}
