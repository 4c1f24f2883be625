import { performance } from "node:perf_hooks";
import { counter, gauge } from "./instruments.ts";

const cpu = counter("process_cpu_seconds_total");
const resident = gauge("process_resident_memory_bytes");
const started = gauge("process_start_time_seconds");
const heap = gauge("nodejs_heap_used_bytes");
const active = counter("weft_event_loop_active_seconds_total");

/** Updates the metrics of the process. Totals count from its start, so the interval between updates does not matter. */
export function lookAtProcess(): void {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  cpu().set((user + system) / 1_000_000);
  resident().set(rss);
  heap().set(heapUsed);
  started().set(performance.timeOrigin / 1_000);
  active().set(performance.eventLoopUtilization().active / 1_000);
}
