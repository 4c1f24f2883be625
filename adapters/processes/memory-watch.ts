import { Worker } from "node:worker_threads";

/**
 * Ends this process when it holds more memory than this, in MiB. Unpacked data of a file lies outside V8's heap, which
 * has its own limit; this limit covers the whole process.
 */
export function limitMemory(maxMb: number): void {
  const watch = `setInterval(() => {
  if (process.memoryUsage.rss() > ${maxMb * 1_048_576}) process.kill(process.pid, "SIGKILL");
}, 20)`;
  new Worker(watch, { eval: true, env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
}
