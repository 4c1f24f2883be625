import { flushCompileCache } from "node:module";
import { Worker } from "node:worker_threads";

/**
 * A message from a process of a pool: the process is ready, or has answered its task. A process has one task at a time.
 */
export type Message<Answer> = { ready: true } | { answer: Answer };

/** Ends this process when its parent has ended, even while an endless task blocks the event loop. */
const ORPHAN_WATCH = `setInterval(() => {
  if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL");
}, 500)`;

/**
 * Answers the tasks of the pool that started this process. `answer` must not throw or reject, because that would end
 * the process.
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
  // Node writes its cache of compiled code when a process exits, but a pool kills its processes.
  flushCompileCache();
}
