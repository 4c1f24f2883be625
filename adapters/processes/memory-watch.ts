import { Worker } from "node:worker_threads";

/**
 * Ends this process when it holds more memory than this, in MiB. Unpacked file data is outside V8's heap, which has its
 * own limit. This limit covers the whole process.
 */
export function limitMemory(maxMb: number): void {
  const watch = `setInterval(() => {
  if (process.memoryUsage.rss() > ${maxMb * 1_048_576}) process.kill(process.pid, "SIGKILL");
}, 20)`;
  new Worker(watch, { eval: true, env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
}
